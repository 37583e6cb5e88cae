# On a terminal, what most names begin with is printed once, above the table; other names,
# other formats and files have whole names.
if ! command -v script >/dev/null; then
    echo 'script is not installed' >&2
    exit 77
fi
on_terminal() { NO_COLOR=1 script -qec "stty cols 200; $*" /dev/null | tr -d '\r'; }
names() { grep -oE '( *…|( *|:)(Net|module|short|f\()).*' | sort; }
layers='Net.encoder.layers'
rangeline profile -o net "$BIN/say" push Net push "$layers (Sequential)" \
    push "$layers.0 (Linear)" pop push "$layers.0" pop push "$layers.1 (ReLU)" pop \
    push "$layers.rate 0.5" pop push "$layers.é" pop pop pop \
    mark "module.function.0.25" mark "module.function.0.75" mark "short.name" \
    mark "f(module.one)" mark "f(module.two)" 2>/dev/null
on_terminal rangeline stats -q -r tree net.rln | names
on_terminal rangeline stats -q -r mark_sum net.rln | names
on_terminal rangeline stats -q -r mark_sum --name "'module*'" net.rln | names
on_terminal rangeline stats -q -r mark_sum --name "'f*'" net.rln | names
rangeline stats -q -r mark_sum --name 'module*' net.rln | names
on_terminal rangeline stats -q -r mark_sum -f csv --name "'module*'" net.rln | names
on_terminal rangeline stats -q -r mark_sum -o marks net.rln
names < marks_mark_sum.csv
