// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash has them too
/** Scripts as agents write them, of several lines: each does some piece of work from beginning to end. */
export const longerScripts: readonly string[] = [
  `set -euo pipefail
cat > config.yml <<'EOF'
name: demo
path: $HOME/x
EOF
cat >> config.yml <<EOF
count: $((2 + 3))
first: $(head -1 numbers.txt)
EOF
cat config.yml`,
  `cat <<-EOF
	indented
		twice
	EOF
cat <<"A" - <<'B' | tail -2
one
A
two
B
echo end`,
  String.raw`while IFS=, read -r name age city; do
  [[ $name == name ]] && continue
  printf '%-5s|%3d|%s\n' "$name" "$age" "$city"
done < table.csv`,
  String.raw`declare -A count
while read -r n; do ((count[$n]++)) || true; done < numbers.txt
for k in $(printf '%s\n' "\${!count[@]}" | sort -n); do echo "$k=\${count[$k]}"; done`.replaceAll("\\$", "$"),
  "arr=(one 'two words' three); arr+=(four); echo ${#arr[@]}; printf '<%s>\\n' \"${arr[@]}\"; echo \"${arr[@]:1:2}\"; unset 'arr[1]'; echo \"${!arr[@]}\"; echo ${arr[-1]}; arr[10]=x; echo ${#arr[@]}",
  'mapfile -t lines < numbers.txt; echo ${#lines[@]} ${lines[0]} ${lines[-1]}; readarray -t some < <(grep -n apple a.txt); echo "${some[1]}"; for i in "${!some[@]}"; do echo "$i:${some[i]}"; done',
  "set -euo pipefail; trap 'echo \"failed at exit $?\"' EXIT; f() { grep -q zebra a.txt; }; if f; then echo yes; else echo no; fi; f || echo fallback; v=$(grep -c apple a.txt); echo $v; grep zebra a.txt; echo unreachable",
  "set -uo pipefail; echo ${UNSET:-default}; echo ${UNSET-dash}; echo ${a+set}; a=1; echo ${a+set}; : ${NEW:=assigned}; echo $NEW; (echo $NOPE) 2>/dev/null; echo $?",
  'false | true; echo ${PIPESTATUS[@]}; true | false | true; echo "${PIPESTATUS[*]}"; set -o pipefail; true | (exit 3) | true; echo $?; ! grep -q zzz a.txt; echo $?',
  'for f in *.txt; do case $f in a*|b*) echo "ab $f";; *space*) echo space;; [en]*) echo en;& u*) echo fall;; *) echo other "$f";; esac; done',
  "case abc in a?c) echo q;;& *b*) echo b;; x) echo x;; esac; case '' in '') echo empty;; esac; case 'a b' in 'a b') echo quoted;; esac; case 5 in [0-9]) echo digit;; esac",
  "s='hello world'; echo ${s:6} ${s:0:5} ${s: -3} ${s: -5:2} ${s/world/there} ${s//o/0} ${s/#hello/bye} ${s/%world/end} ${s^^} ${s^} ${#s}",
  "p=/usr/local/lib/file.tar.gz; echo ${p##*/} ${p%/*} ${p%.*} ${p%%.*} ${p#*.} ${p##*.}; b=$(basename $p .tar.gz); d=$(dirname $p); echo $b $d",
  "x=7; ((x+=3)); echo $x $((x**2)) $((x%3)) $((x<<1)) $((x>5?1:0)) $((0x1f)) $((010)) $((2#101)); let y=x*2; echo $y; ((x++)); ((--y)); echo $x $y; echo $(( (x+y) / 2 )); i=0; while ((i<3)); do echo -n $i; ((i++)); done; echo",
  "[[ 'v1.22.3' =~ ^v([0-9]+)\\.([0-9]+)\\.([0-9]+)$ ]] && echo ${BASH_REMATCH[1]}-${BASH_REMATCH[2]} ${#BASH_REMATCH[@]}; re='^a.*e$'; while read -r l; do [[ $l =~ $re ]] && echo \"$l\"; done < a.txt; [[ foo =~ o+ ]]; echo ${BASH_REMATCH[0]}; [[ abc =~ ^x ]] || echo no",
  "echo {1..5} {a..e} {01..03} {10..0..5} {a,b}{1,2} x{,y}z {a,{b,c}}; mkdir -p proj/{src,test}/{js,css}; find proj -type d | sort; echo \"{1..3}\" '{a,b}'; n=3; echo {1..$n}",
  'shopt -s globstar; for f in **/*.txt; do echo "$f"; done; shopt -s dotglob; echo *hid*; shopt -u dotglob; echo *hid*',
  "(cd sub && pwd | sed 's#.*/##' && (cd deep && ls)); pwd | grep -c sub; cd sub; cd ..; cd - | sed 's#.*/##'; cd sub && cd deep | cat; pwd | sed 's#.*/##'; cd ..; pushd sub >/dev/null; pwd | sed 's#.*/##'; popd > /dev/null; ls -d sub",
  "find . -type f -name '*.txt' -exec grep -l apple {} + | sort; find . -name '*.txt' -exec sh -c 'for f; do echo \"${f#./}\"; done' _ {} + | sort; find . -name '*.md' -exec echo found {} \\;; find sub -type f -exec wc -l {} \\; | sort",
  "find . -name '*.txt' -print0 | sort -z | xargs -0 -n1 basename | sort; find . -type f -print0 | xargs -0 grep -l apple | sort; printf 'b\\0a\\0c\\0' | sort -z | tr '\\0' '\\n'; printf 'b\\0a\\0' | sort -rz | tr '\\0' ' '; echo",
  "find . -name '*.txt' -print -quit | wc -l; find . -wholename './sub/*' | sort; find . -path '*/deep/*' -type f; find sub -name nothing -quit; echo $?; find . -type f -quit | wc -l",
  "touch -d '2020-01-02 03:04:05 UTC' old.txt; touch new.txt; find . -maxdepth 1 -mmin +60 -name '*.txt'; find . -maxdepth 1 -mmin -60 -name 'new.txt'; find . -newer old.txt -name 'new*'; find . -maxdepth 1 -mtime +10; find . -maxdepth 1 -mtime 0 -name 'n*' | sort",
  "printf '%03000d' 1 > three; printf '%01024d' 1 > one; : > none; find . -maxdepth 1 -size +2k -name 'three'; find . -maxdepth 1 -size 1k -name one; find . -size -1k -name none; find . -size 3000c; find . -size +1000c -size -2000c; find . -size 0 -name none; find . -size 6b",
  "mkdir -p t/a/b t/c; touch t/1 t/a/2 t/a/b/3; find t -delete; ls -d t 2>/dev/null; echo $?; mkdir -p u/x/y; touch u/x/k.log u/x/y/m.log u/z.txt; find u -name '*.log' -delete; find u | sort; find u -type d -empty -delete; find u | sort",
  "awk '{ sum += $1 } END { print sum }' x=1 numbers.txt; awk '{ print pre $1 }' pre=a numbers.txt | head -2; awk 'FNR==1 { print v }' v=1 a.txt v=2 b.txt; awk -v n=3 'NR==n' numbers.txt; awk '{print v}' v='a b' b.txt | head -1",
  "awk -F, 'NR>1 { c[$3]++; s[$3]+=$2 } END { for (k in c) printf \"%s %d %.1f\\n\", k, c[k], s[k]/c[k] }' table.csv | sort; awk 'BEGIN { OFS=\"-\" } { $1=$1; print }' b.txt; awk '/apple/ { n++; next } { m++ } END { print n, m }' a.txt; awk 'NR==FNR { seen[$1]; next } $1 in seen' patterns.txt a.txt",
  'awk \'function max(a, b) { return a > b ? a : b } { m = max(m, $1) } END { print m }\' numbers.txt; awk \'BEGIN { s = sprintf("%05.2f|%07.1f|%-4s|%x", 3.14159, -2, "ab", 255); print s; print index("hello", "l"), length("abc"), tolower("ABC") }\'; awk \'{ line[NR] = $0 } END { while (NR > 4) print line[NR--] }\' numbers.txt; awk \'BEGIN { while (i++ < 3) if (i == 2) continue; else print i; exit 4 }\'; echo $?',
  "umask; umask 022; touch m1; mkdir m2; stat -c '%a %n' m1 m2; umask 0022; umask -S; umask -p",
  "env -i HOME=/x PATH=$PATH bash -c 'echo $HOME'; HOME=/y bash -c 'echo ~'; env -i A=1 B=2 env | sort; env - C=3 env",
  "printf '%s %q\\n' 'a b' 'c d'; printf '%5s|%-5s|%05d|%.3f|%x|%o|%c|%%\\n' ab cd 42 3.14159 255 8 xyz; printf '%b' 'a\\tb\\n'; printf '%s,' 1 2 3; echo; printf '%d %s\\n' 1 a 2 b; printf -v out '%03d' 5; echo $out; printf '\\x41\\u00e9\\n'; printf '%s\\n'; printf '%*d\\n' 5 42; printf '%(%Y)T\\n' 0",
  "sed -i 's/apple/pear/g; /^$/d' a.txt; cat a.txt; sed -i -e '1s/^/# /' -e '$a last' a.txt; head -1 a.txt; tail -1 a.txt; sed -i '/foo/,/bar/d' a.txt; wc -l < a.txt; sed -i 's|ROOT|/x/y|' b.txt; sed -n '$=' numbers.txt",
  "sed -n '/apple/{p;q}' a.txt; sed -E 's/([a-z]+) ([a-z]+)/\\2 \\1/' a.txt | head -3; sed '/^$/d;s/^/> /' a.txt | head -2; sed -n '2,4!p' numbers.txt; sed '0~2d' numbers.txt; sed 's/a/X/2' a.txt | head -2; sed 'y/abc/xyz/' a.txt | head -1; sed -n 'H;${x;s/\\n/,/g;p}' numbers.txt; sed '1~2s/$/ odd/' numbers.txt | head -2; sed = numbers.txt | sed 'N;s/\\n/\\t/' | head -2",
  "echo start | tee log.txt | wc -c; echo more | tee -a log.txt > /dev/null; cat log.txt; { echo out; echo err >&2; } > both.txt 2>&1; cat both.txt; { echo out; echo err >&2; } 2> err.txt | cat; cat err.txt; echo x &> amp.txt; cat amp.txt; ls nothere 2>&1 | wc -l; exec 3> fd.txt; echo three >&3; exec 3>&-; cat fd.txt",
  'json=\'{"name":"x","list":[1,2,3],"nested":{"a":"b c"}}\'; echo "$json" | grep -o \'"name":"[^"]*"\' | cut -d\'"\' -f4; echo "$json" | sed -E \'s/.*"a":"([^"]*)".*/\\1/\'; echo "$json" | tr \',\' \'\\n\' | grep -c :; echo "$json" | awk -F\'[][]\' \'{print $2}\'',
  'while read -r a b; do echo "$b-$a"; done <<< $\'1 one\\n2 two\'; grep -n \'\' numbers.txt | while IFS=: read -r n v; do [ $n -le 2 ] && echo "$n/$v"; done; printf \'a\\nb\' | while read -r l || [ -n "$l" ]; do echo "[$l]"; done; n=0; while read -r _; do ((++n)); done < numbers.txt; echo $n',
  "diff <(sort numbers.txt) <(sort -u numbers.txt); paste <(cut -d, -f1 table.csv) <(cut -d, -f3 table.csv); while read -r x; do echo \"p$x\"; done < <(seq 2); comm -3 <(printf 'a\\nb\\n') <(printf 'b\\nc\\n'); cat <(echo hi) | rev",
  "grep -q apple <<< 'an apple' && echo yes; tr a-z A-Z <<< lower; bc <<< '2+3' 2>/dev/null || echo $((2+3)); read -r first rest <<< 'one two three'; echo \"$rest\"; wc -w <<< \"$(cat b.txt)\"; cat <<< \"$HOME\" | wc -l",
  'fact() { local n=$1; if (( n <= 1 )); then echo 1; else echo $(( n * $(fact $((n-1))) )); fi; }; fact 6; greet() { local who=${1:-world}; echo "hi $who"; return 2; }; greet; echo $?; greet bob || echo rc $?; outer() { local v=1; inner; echo $v; }; inner() { v=2; }; outer; echo ${v-unset}',
  "usage() { echo \"usage: $0 [-v] [-o out] file\" | sed 's#: .* \\[-v#: X [-v#'; }; parse() { local OPTIND o v=0 out=; while getopts 'vo:' o; do case $o in v) v=1;; o) out=$OPTARG;; *) usage; return 1;; esac; done; shift $((OPTIND-1)); echo \"v=$v out=$out rest=$*\"; }; parse -v -o x a b; parse -ofile c; parse -z 2>/dev/null; echo $?",
  'set -- a \'b c\' d; echo $# "$2" "${@:2}" "${!#}"; shift; echo $1; for x in "$@"; do echo "<$x>"; done; for x; do echo -n "$x,"; done; echo; set -- $(echo 1 2 3); echo $*; IFS=-; echo "$*"; unset IFS; args=("$@"); echo ${args[1]}',
  "trap 'echo cleanup' EXIT; trap 'echo int' INT; v=$(echo in); echo $v; eval 'echo evaled'; echo 'echo sourced' > s.sh; . ./s.sh; (echo sub); trap - INT; false; echo done",
  'out=$(mktemp); { date +%Y > "$out"; } && [ -s "$out" ] && echo nonempty; rm -f "$out"; d=$(mktemp -d); (cd "$d" && touch a b && ls | wc -l); rm -r "$d"; [ -d "$d" ] || echo removed',
  "sort -t, -k3,3 -k2,2n table.csv; sort -k2 b.txt; sort -c numbers.txt 2>/dev/null; echo $?; sort -h <<< $'2K\\n1M\\n3'; sort -V <<< $'v1.10\\nv1.9\\nv1.2'; sort -s -k1,1 b.txt | head -2; sort -m <(seq 1 2 5) <(seq 2 2 4); sort -o sorted.txt numbers.txt; head -1 sorted.txt; sort -nu numbers.txt | tail -1; sort --reverse -k 1.2 table.csv | head -1",
  "cut -d, -f1,3 table.csv; cut -c1-3 a.txt | head -2; cut -d' ' -f2- b.txt; cut -d, -f2- --output-delimiter=: table.csv | head -1; echo abcdef | cut -c2,4-; echo a:b:c | cut -d: -f-2; cut -s -d, -f1 a.txt; echo 'a b' | cut -b1",
  "tr -d '\\n' < numbers.txt; echo; tr -s ' ' <<< 'a   b'; tr '[:lower:]' '[:upper:]' <<< abc; tr -c 'a-z\\n' '_' <<< 'ab1c2'; tr -cd '0-9\\n' <<< 'a1b2'; echo hello | tr 'a-y' 'b-z'; tr ',' '\\t' < table.csv | head -1; echo aabbcc | tr -s 'a-c'; echo path/to | tr / '\\\\'",
  "seq 3 | tac; seq -s, 5; seq 1 2 7 | paste -sd+; seq -w 8 10; echo 1 2 3 | xargs -n1 | awk '{s+=$1} END{print s}'; yes ab 2>/dev/null | head -0; expr 3 + 4; expr length hello; test 3 -gt 2; echo $?",
  "if [ -f a.txt ] && [ -r a.txt ] && [ ! -d a.txt ]; then echo file; fi; [ -d sub -a -w sub ] && echo dir; [ -s empty.txt ] || echo zero; [ -n \"$(ls)\" ] && echo some; [ a = a ] && [ a != b ] && [[ a == a ]] && echo eq; [[ -f a.txt && ( -d sub || -f nope ) ]] && echo both; [ -x a.txt ] || echo notexec; [ 01 -eq 1 ] && echo num; [[ 10 -gt 9 && 'b' > 'a' ]] && echo cmp",
  "export A=1 B='x y'; bash -c 'echo $A $B'; declare -x C=3; bash -c 'echo $C'; readonly R=5; (R=6) 2>/dev/null; echo $? $R; declare -i n=3+4; echo $n; declare -r Q=1; declare -l low=ABC; echo $low; declare -u up=abc; echo $up; typeset v=1; echo $v; unset A; echo ${A-gone}; local z=1 2>/dev/null; echo $?",
  "IFS=: read -ra parts <<< \"a:b:c\"; echo ${#parts[@]} ${parts[2]}; old=$IFS; IFS=$'\\n'; for l in $(cat numbers.txt | head -2); do echo \"[$l]\"; done; IFS=$old; x='a  b   c'; echo $x; echo \"$x\"; set -- $x; echo $#; IFS=,; y='1,2,3'; set -- $y; echo $2; unset IFS",
  "echo a.txt b.txt | xargs -n1 -I{} sh -c 'wc -l < {}'; ls *.txt | xargs -d '\\n' wc -l | tail -1; find . -name '*.txt' | sort | xargs -d '\\n' -I{} echo 'f: {}'; printf '%s\\n' 1 2 3 4 | xargs -n2 echo pair; echo 'a b' | xargs -I{} echo '[{}]'; seq 3 | xargs -I N echo N-N",
  "nl -ba numbers.txt | head -2; cat -n a.txt | sed -n '2p'; cat -A table.csv | head -1; od -An -c empty.txt; head -2 a.txt b.txt; tail -q -n1 a.txt numbers.txt; tail -n1 a.txt b.txt; rev <<< abc; expand -t4 <<< $'a\\tb'; unexpand -a <<< 'a       b' | cat -A; split -l 2 numbers.txt part_ && ls part_*; cat part_ab",
  "date -d @0 -u +%Y-%m-%dT%H:%M:%SZ; date -u -d '2024-01-31' +%j; date -u -d 2020-05-06 +'%d/%m/%y %A'; d1=$(date -u -d 2024-03-01 +%s); d0=$(date -u -d 2024-02-01 +%s); echo $(( (d1-d0)/86400 )); date +%s | grep -cE '^[0-9]{10}$'",
  "base64 <<< hello; base64 -d <<< aGVsbG8K; echo -n abc | sha256sum | cut -c1-16; echo -n abc | md5sum; sha1sum a.txt | awk '{print length($1), $2}'; sha256sum a.txt > sums; sha256sum -c sums; echo -n abc | base64 -w0; echo; od -An -tx1 <<< AB",
  "for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done; until [ ${k:=0} -ge 2 ]; do echo k$k; ((k++)); done; for ((i=0, j=5; i<j; i+=2, j--)); do echo $i,$j; done; while :; do break; done; for x in; do echo never; done; echo end",
  '{ echo one; echo two; } | { read -r x; echo "got $x"; cat; }; (echo a; echo b) | sort -r; echo x | { cat; echo y; }; v=$( (echo in; exit 3) ); echo "$v $?"; { false; } || echo caught; ! { true; } ; echo $?; time true 2>/dev/null; : ignored args; true; echo $_ | wc -l',
  'greplog() { grep -h "$1" -- *.txt | sort | uniq -c | sort -rn | head -${2:-5}; }; greplog apple 2 | awk \'{$1=$1};1\'; count() { wc -l "$@" | tail -1 | awk \'{print $1}\'; }; count a.txt b.txt; has() { command -v "$1" >/dev/null 2>&1; }; has grep && echo grep; has nosuchthing || echo none; type -t has; type -t grep | head -1; type -t if',
  "git init -q . 2>/dev/null; mkdir -p src; cat > src/main.py <<'PY'\nimport os\n\ndef main():\n    print(f\"{os.getcwd()}\")\n\nif __name__ == '__main__':\n    main()\nPY\ngrep -n 'def ' src/*.py; sed -i '/^import os$/a import sys' src/main.py; head -3 src/main.py; wc -l < src/main.py; grep -c '' src/main.py",
  'cat > pkg.json <<\'E\'\n{\n  "version": "1.2.3"\n}\nE\nv=$(grep \'"version"\' pkg.json | sed -E \'s/.*"([0-9.]+)".*/\\1/\'); IFS=. read -r ma mi pa <<< "$v"; new="$ma.$mi.$((pa+1))"; sed -i "s/\\"version\\": \\"$v\\"/\\"version\\": \\"$new\\"/" pkg.json; cat pkg.json; [[ $new > $v ]] && echo bumped',
  'for f in *.txt; do n="${f%.txt}.bak"; cp "$f" "$n"; done; ls *.bak | wc -l; for f in *.bak; do mv -- "$f" "x_${f// /_}"; done; ls x_*; rm x_*; i=0; for f in *.txt; do printf \'%02d-%s\\n\' $((++i)) "$f"; done',
  'retry() { local n=0; until "$@"; do n=$((n+1)); [ $n -ge 3 ] && { echo "gave up after $n"; return 1; }; done; echo ok; }; retry false; retry true; attempt=0; flaky() { attempt=$((attempt+1)); [ $attempt -ge 2 ]; }; retry flaky; echo $attempt',
  "echo 'TODO: one' > t1; echo 'x // TODO two' > sub/t2; grep -rn TODO . --include='t*' | sort; grep -rlE 'TODO|FIXME' . | sort; grep -rc TODO sub | sort; grep -o 'TODO.*' -r . -h | sort; grep -A1 -B1 two b.txt; grep -vn apple b.txt; grep -w foo a.txt; grep -x foobar a.txt; grep -m1 apple a.txt; grep -L apple *.txt",
  "x=$'tab\\there\\n'; printf %s \"$x\"; echo 'single '\"double $((1+1))\"' mix'; echo \"a\\\"b\\$c\\\\d\"; echo a\\ b; echo 'it'\\''s'; echo \"$(echo \"nested $(echo \"deep\")\")\"; echo -e 'a\\tb\\x41'; echo -n no; echo; echo -E 'a\\tb'; echo $'\\e[0m' | od -An -tx1",
  "v=abc; echo ${v:-x} ${v:+y} ${w:-z}; echo ${v@U} ${v@Q}; n=5; echo $((n > 3 && n < 10)) $((!n)) $((~n)) $((n & 4 | 2 ^ 1)); a=(3 1 2); echo ${a[@]/#/n}; echo ${a[@]%9}; printf '%s\\n' \"${a[@]}\" | sort -n | paste -sd' '",
];
