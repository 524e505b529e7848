# sentences.awk: sentences that begin with a relative pronoun, or with "The same of" and its kin, in
# comments and in Markdown.
#   awk -f tools/sentences.awk FILE...     prints FILE:LINE: sentence
# A sentence begins with a paragraph, an element of a list, a cell of a table, a string literal of src
# or include, or behind . ! or ?; it is passed if it ends in a question mark. Headings and blocks of
# code are not read. Comments are those of C, or # in scripts, stories and build files; other files
# are not read.

function judge(sentence, line) {
    sub(/^[ *"('`_]+/, "", sentence)
    if (sentence ~ /^The same([,;:]| (of|for|with|without|by|from|as|at|in|if|where|again|once)[ ,])/) {
        print file ":" line ": " sentence
        return
    }
    if (sentence !~ /^(What|Whatever|Which|Whichever|Who|Whoever|Whom|Whose|That|Of|Where|Wherever)[*_`]*[ ,]/)
        return
    if (sentence ~ /[?]["')*`_]*$/)
        return
    print file ":" line ": " sentence
}

function line_of(at,   i) { # the line on which character AT of the paragraph stands
    for (i = pieces; i > 1 && begins[i] > at; i--);
    return lines[i]
}

function flush(   rest, end, sentence) { # the paragraph is complete
    for (rest = text; rest != ""; rest = substr(rest, end + 1)) {
        end = match(rest, /[.!?]["')*`_]*( |$)/) ? RSTART + RLENGTH - 1 : length(rest)
        sentence = substr(rest, 1, end)
        sub(/ $/, "", sentence)
        judge(sentence, line_of(length(text) - length(rest) + 1))
    }
    text = ""
    pieces = 0
}

function add(piece) { # one line of a paragraph; an empty one ends it
    gsub(/^[ \t]+|[ \t]+$/, "", piece)
    if (piece == "") {
        flush()
        return
    }
    pieces++
    lines[pieces] = last_line = FNR
    begins[pieces] = length(text) + (text != "") + 1
    text = text (text != "" ? " " : "") piece
}

function say(literal) { # a string literal, by itself
    flush()
    gsub(/\\n/, " ", literal)
    add(literal)
    flush()
}

function add_item(piece) { # likewise, and an element of a list begins a paragraph
    if (piece ~ /^[ \t]*([*+-]|[0-9]+[.]|[A-Z][0-9]+[.:]?) +/) {
        flush()
        sub(/^[ \t]*([*+-]|[0-9]+[.]|[A-Z][0-9]+[.:]?) +/, "", piece)
    }
    add(piece)
}

function kind_of(name) {
    if (name ~ /[.]md$/)
        return "text"
    if (name ~ /[.](c|h|cpp|def)$/)
        return "c"
    if (name ~ /[.](scn|conf|awk|cocci)$|(^|\/)(meson[.]build|meson_options[.]txt|[.][a-z-]+)$/ || $0 ~ /^#!/)
        return "script"
    return ""
}

FNR == 1 { flush(); file = FILENAME; kind = kind_of(FILENAME); inside = fenced = 0 }
kind == "text" && /^[ \t]*(```|~~~)/ { flush(); fenced = !fenced; next }
kind == "text" && (fenced || /^#/) { flush(); next }
kind == "text" && /^[ \t]*[|]/ {
    flush()
    count = split($0, cells, "|")
    for (cell = 1; cell <= count; cell++) {
        add(cells[cell])
        flush()
    }
    next
}
kind == "text" { add_item($0); next }
kind == "script" && /^[ \t]*#/ { sub(/^[ \t]*#+/, ""); add_item($0); next }
kind == "script" {
    flush()
    if (match($0, /[ \t]# /)) {
        add(substr($0, RSTART + 3))
        flush()
    }
    next
}
kind == "c" {
    rest = $0
    for (;;) {
        if (!inside) {
            while (match(rest, /"([^"\\]|\\.)*"|\/[*]|\/\//) && substr(rest, RSTART, 1) == "\"") {
                end = RSTART + RLENGTH
                if (file ~ /(^|\/)(src|include)\//)
                    say(substr(rest, RSTART + 1, RLENGTH - 2))
                rest = substr(rest, end)
            }
            if (RSTART == 0) {
                flush()
                next
            }
            if (substr(rest, RSTART, 2) == "//") {
                if ($0 !~ /^[ \t]*\/\// || last_line != FNR - 1)
                    flush()
                add(substr(rest, RSTART + 2))
                next
            }
            flush()
            rest = substr(rest, RSTART + 2)
            inside = 1
        }
        end = index(rest, "*/")
        piece = end ? substr(rest, 1, end - 1) : rest
        if (pieces > 0 || piece ~ /^[ \t]*[*]/)
            sub(/^[ \t]*[*]/, "", piece)
        add_item(piece)
        if (!end)
            next
        flush()
        inside = 0
        rest = substr(rest, end + 2)
    }
}
END { flush() }
