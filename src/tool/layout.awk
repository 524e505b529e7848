# layout.awk: test/abi/layout.tsv as lines of C, for layout.c.
BEGIN { FS = "\t" }

function text(word) { return "\"" word "\"" }

NR == 1 { next } # the columns' names
$2 == "(sizeof)" { print "STRUCTURE(" text($1) ", " text($3) ", " text($5) ", " text($6) ")"; next }
{ print "MEMBER(" text($1) ", " text($2) ", " text($3) ", " text($4) ", " text($5) ", " text($6) ")" }
