#!/usr/bin/env bash
# Runs git's own test scripts with `wsgit` in git's place: ours for our commands, the built git for what the scripts need besides.
# Nothing of git's is in this repository: unpack its source (2.39), build it with `make`, and name the folder.
#
#   test/oracle/git/run-git-suite.sh <folder of git's source> <folder for logs> t3200-branch.sh …
#   T_OPTS="-v -i -x" test/oracle/git/run-git-suite.sh …     # stop at the first failure, and show it
#
# A line a script: how many tests passed and how many did not, without those that git itself marks as known to fail.
set -u
[ $# -ge 3 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
checkout=$(cd "$(dirname "$0")/.." && pwd)
source=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
[ -x "$source/bin-wrappers/git" ] || { echo "$source: not built; run make there" >&2; exit 2; }

bin="$out/bin"
mkdir -p "$bin"
ln -sf "$source"/bin-wrappers/* "$bin/" && rm -f "$bin/git"
ours="init clone add rm mv status commit log show diff branch checkout switch restore tag merge rebase cherry-pick revert reset stash clean fetch pull push remote config blame grep describe reflog apply shortlog ls-files ls-tree ls-remote cat-file hash-object rev-parse rev-list symbolic-ref update-ref show-ref for-each-ref merge-base write-tree read-tree commit-tree update-index diff-tree diff-index diff-files check-ignore count-objects fsck gc"
cat > "$bin/git" << WRAPPER
#!/bin/bash
# The first word that is no option, and no value of one, is the command.
args=("\$@") i=0
while [ \$i -lt \${#args[@]} ]; do
  case "\${args[\$i]}" in
    -C | -c | --git-dir | --work-tree | --namespace | --config-env) i=\$((i + 2)) ;;
    -*) i=\$((i + 1)) ;;
    *) break ;;
  esac
done
command=\${args[\$i]:-}
case " $ours " in
  *" \$command "*) [ -n "\$command" ] && exec node "$checkout/packages/git/bin/wsgit.mjs" "\$@" ;;
esac
exec "$source/bin-wrappers/git" "\$@"
WRAPPER
chmod +x "$bin/git"

export PATH="$checkout/node_modules/.bin:$PATH"
cd "$source/t" || exit 2
for script in "$@"; do
  # Each has a root of its own, so that two runs do not meet.
  GIT_TEST_INSTALLED="$bin" timeout "${T_LIMIT:-600}" sh "./$script" --root="$out/$script.trash" ${T_OPTS:-} > "$out/$script.log" 2>&1
  status=$?
  rm -rf "$out/$script.trash"
  passed=$(grep -c '^ok ' "$out/$script.log")
  failed=$(grep '^not ok ' "$out/$script.log" | grep -vc '# TODO')
  echo "$script: $passed passed, $failed failed (exit code $status)" | tee -a "$out/summary.txt"
done
