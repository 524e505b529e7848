# rows.awk: turn each row of the two tables into a check.
#
#   awk -v out=DIR -f rows.awk layout.tsv enums.tsv
#
# Writes into DIR
#   static.inc       SIZE, FIELD and ENUM lines: hold at compile time
#   bits.inc         BIT lines: one a bit-field
#   bits.expected    the bytes of each BIT line's object when all bits of the field are set
#   versions         the interface versions, oldest first: WDDM version, value
#   old.VALUE.inc    OLD lines: sizes that hold when compiled for interface version VALUE
# and ends with an error at a row it does not understand. Every line of an .inc file begins with the
# table's line number, so that a failure names its row and the rows can be counted.

function fail(text)
{
    printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
    failed = 1
    exit 1
}

# "1.2" -> 1.02, so that versions compare as numbers; 0 where the text is none.
function version_number(text, part)
{
    if (text !~ /^[0-9]+\.[0-9]+$/)
        return 0
    split(text, part, ".")
    return part[1] + part[2] / 100
}

# The WDDM version that an interface-version macro stands for.
function wddm_of(name, part)
{
    sub(/^DXGKDDI_INTERFACE_VERSION_/, "", name)
    if (name ~ /^VISTA/)
        return "1.0"
    if (name == "WIN7")
        return "1.1"
    if (name == "WIN8")
        return "1.2"
    if (name !~ /^WDDM[0-9]+_[0-9]+/)
        fail("which WDDM version is " name "?")
    sub(/^WDDM/, "", name)
    split(name, part, "_")
    return part[1] "." part[2]
}

function unit_size(type)
{
    if (type == "UINT64" || type == "ULONGLONG")
        return 8
    return 4
}

# One line of eight bytes after another, as od -w8 prints them; each with the row's number before.
function expect_bits(line, size, first, width, padded, byte, bit, value, text)
{
    padded = int((size + 7) / 8) * 8
    for (byte = 0; byte < padded; byte++) {
        value = 0
        for (bit = 0; bit < 8; bit++)
            if (byte * 8 + bit >= first && byte * 8 + bit < first + width)
                value += 2 ^ bit
        text = text sprintf(" %02x", value)
        if (byte % 8 == 7) {
            print line text > (out "/bits.expected")
            text = ""
        }
    }
}

BEGIN {
    FS = "\t"
}

FNR == 1 {
    table++
    next
}

table == 1 && NF != 8 || table == 2 && NF != 4 {
    fail("the row has " NF " columns")
}

# layout.tsv: struct, field path, C type, offset, size or bit, WDDM version, sources, confidence
table == 1 && $2 == "(sizeof)" {
    if ($4 != 0 || $5 !~ /^[0-9]+$/)
        fail("not a size: " $5)
    if ($1 in size)
        fail("second size of " $1)
    size[$1] = $5
    printf "SIZE(%d, %s, %d)\n", FNR, $1, $5 > (out "/static.inc")
    next
}

table == 1 && $2 ~ /^\(sizeof @WDDM [0-9.]+(-[0-9.]+)?\)$/ {
    if ($5 !~ /^[0-9]+$/)
        fail("not a size: " $5)
    range = $2
    gsub(/^\(sizeof @WDDM |\)$/, "", range)
    if (split(range, end, "-") == 1)
        end[2] = end[1]
    old++
    old_row[old] = FNR
    old_struct[old] = $1
    old_size[old] = $5
    old_first[old] = version_number(end[1])
    old_last[old] = version_number(end[2])
    next
}

table == 1 && $2 ~ /^[A-Za-z_][A-Za-z0-9_.]*$/ {
    if (!($1 in size))
        fail("a member before the size of " $1)
    if ($4 !~ /^[0-9]+$/)
        fail("not an offset: " $4)
    if ($5 ~ /^bit [0-9]+:[0-9]+$/) {
        split(substr($5, 5), bit, ":")
        if (bit[1] + bit[2] > 8 * unit_size($3))
            fail("outside its unit: " $5)
        printf "BIT(%d, %s, %s, %s, %d, %d)\n", FNR, $1, $2, $3, $4 * 8 + bit[1], bit[2] \
            > (out "/bits.inc")
        expect_bits(FNR, size[$1], $4 * 8 + bit[1], bit[2])
    } else if ($5 ~ /^[0-9]+$/) {
        if ($3 == "struct" || $3 == "union")
            printf "BLOCK(%d, %s, %s, %d, %d)\n", FNR, $1, $2, $4, $5 > (out "/static.inc")
        else
            printf "FIELD(%d, %s, %s, %s, %d, %d)\n", FNR, $1, $2, $3, $4, $5 \
                > (out "/static.inc")
    } else
        fail("neither a size nor a bit-field: " $5)
    next
}

# enums.tsv: enum or group of macros, name, value, sources
table == 2 && $3 ~ /^(-?[0-9]+|0x[0-9A-Fa-f]+)( \(.*\))?$/ {
    split($3, value, " ")
    if ($1 ~ /^[A-Z][A-Z0-9_]*$/ && $1 !~ /^(NTSTATUS|HRESULT)$/)
        printf "ENUMERATOR(%d, %s, %s, %s)\n", FNR, $1, $2, value[1] > (out "/static.inc")
    else if (value[1] ~ /^0x/ && length(value[1]) > 10)
        printf "WIDE(%d, %s, %sull)\n", FNR, $2, value[1] > (out "/static.inc")
    else
        printf "VALUE(%d, %s, %s)\n", FNR, $2, value[1] > (out "/static.inc")
    if ($2 ~ /^DXGKDDI_INTERFACE_VERSION_/) {
        versions++
        version_value[versions] = value[1]
        version_wddm[versions] = wddm_of($2)
    }
    next
}

{
    fail("a row that is not understood: " $0)
}

END {
    if (failed)
        exit 1
    for (v = 1; v <= versions; v++) {
        file = out "/old." version_value[v] ".inc"
        printf "" > file
        print version_wddm[v], version_value[v] > (out "/versions")
        number = version_number(version_wddm[v])
        for (i = 1; i <= old; i++)
            if (old_first[i] <= number && number <= old_last[i]) {
                printf "OLD(%d, %s, %d)\n", old_row[i], old_struct[i], old_size[i] > file
                covered[i] = 1
            }
    }
    for (i = 1; i <= old; i++)
        if (!(i in covered)) {
            printf "layout.tsv:%d: no interface version has this size\n", old_row[i] \
                > "/dev/stderr"
            exit 1
        }
}
