# gating.awk: the declarations of the headers in one interface version, against the table's version
# column.
#
#   cc -E -P -DDXGKDDI_INTERFACE_VERSION=... | awk -v version=WDDM -f gating.awk layout.tsv -
#
# A member is there from its version on, and not before. The table repeats the members of typed
# members with their absolute offsets; those belong to the type, and are looked up there. A flag
# word's Value is as old as the word. A version that the table leaves open claims nothing.
# Prints how many names agree.

function number(text, part)
{
    sub(/\?$/, "", text)
    if (text == "")
        return 0
    split(text, part, ".")
    return part[1] + part[2] / 100
}

BEGIN {
    FS = "\t"
    now = number(version)
}

FILENAME != "-" && $2 == "(sizeof)" {
    since[$1] = number($6)
    next
}

FILENAME != "-" && FNR > 1 && $2 !~ /^\(/ {
    if ($3 != "struct" && $3 != "union")
        typed[$1, $2] = 1
    parent = $2
    while (sub(/\.[^.]*$/, "", parent))
        if (($1, parent) in typed)
            next
    leaf = $2
    sub(/^.*\./, "", leaf)
    from = number($6)
    if ($2 == "Value" || from < since[$1])
        from = since[$1]
    if (from > 0 && (!(($1, leaf) in first) || from < first[$1, leaf]))
        first[$1, leaf] = from
    next
}

FILENAME == "-" && /^typedef (struct|union) _[A-Za-z0-9_]+ \{/ {
    name = $0
    sub(/^typedef (struct|union) _/, "", name)
    sub(/ \{.*$/, "", name)
    inside = 1
    next
}

FILENAME == "-" && inside && /^\}/ {
    inside = 0
    next
}

FILENAME == "-" && inside {
    n = split($0, word, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++)
        declared[name, word[i]] = 1
}

END {
    for (key in first) {
        want = first[key] <= now
        have = key in declared
        if (want == have) {
            agree++
            continue
        }
        split(key, part, SUBSEP)
        printf "%s.%s is %s in WDDM %s\n", part[1], part[2], want ? "missing" : "too early", \
            version > "/dev/stderr"
        wrong = 1
    }
    print agree + 0
    exit wrong
}
