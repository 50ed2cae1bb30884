/** How a report looks, in the colors of our pages. */
export const style = `:root{color-scheme:light dark;--paper:light-dark(#fbfaf8,#14161a);--sheet:light-dark(#fff,#1b1e24);--line:light-dark(#dedad2,#2e333c);--faint:light-dark(#c9c4ba,#454c58);--ink:light-dark(#23262b,#e4e6ea);--soft:light-dark(#62666e,#9aa1ae);--lit:light-dark(#c2410c,#ff9d4d);--lit-soft:light-dark(#fff3ea,#2c2520);--done:light-dark(#15803d,#5cc98a);--bad:light-dark(#b91c1c,#ff7b72);--blue:light-dark(#3469bb,#6b9ee8);--teal:light-dark(#107a6e,#45bfae);--violet:light-dark(#7b47c0,#b18cf0)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,'Segoe UI',sans-serif}
main{max-width:1180px;margin:0 auto;padding:32px 20px 48px}
h1{margin:0 0 4px;font-size:26px;line-height:1.2;letter-spacing:-.01em}
h2{margin:36px 0 12px;font-size:18px}
h3{margin:0;font-size:15px}
p{margin:4px 0 0;max-width:76ch}
header p,.files,figcaption p,footer{color:var(--soft)}
.files{margin:0 0 8px;padding:0;list-style:none}
.files b{color:var(--ink)}
.verdict{display:inline-block;margin:14px 0 0;padding:4px 12px;border:1px solid currentColor;border-radius:99px;color:var(--done);font-weight:600}
.verdict.bad{color:var(--bad)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:16px}
figure,section{min-width:0;overflow-x:auto;margin:0;padding:16px 18px;background:var(--sheet);border:1px solid var(--line);border-radius:10px}
.wide{grid-column:1/-1}
figcaption{margin-bottom:14px}
figcaption p{text-wrap:pretty}
svg text{fill:var(--soft);font-size:12px}
.grid{stroke:var(--line)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th{font-weight:400;text-align:left}
.dots,.bars{width:100%}
.dots th,.dots td,.bars th,.bars td{padding:0;white-space:nowrap}
.dots td:nth-child(2){width:100%;min-width:110px;padding:0 14px}
.dots thead th{color:var(--soft);font-size:12px;text-align:right;vertical-align:bottom;padding-left:12px}
.dots td:nth-child(n+3){padding-left:12px;text-align:right}
svg.row{display:block;width:100%;overflow:visible}
.dots tbody svg circle{fill:var(--sheet);stroke:var(--soft);stroke-width:1.8}
.dots tbody svg circle:first-of-type{fill:var(--soft)}
.span{stroke:var(--faint);stroke-width:2}
.own th,.own td:nth-child(n+3){font-weight:700}
.own td,.own th{background:var(--lit-soft)}
.own th:first-child{padding-left:6px;border-radius:6px 0 0 6px}
.dots tbody th{padding-left:6px}
.own td:last-child{border-radius:0 6px 6px 0}
.dots td:last-child,.dots th:last-child{padding-right:6px}
.dots tbody .own circle{fill:var(--lit-soft);stroke:var(--lit)}
.dots tbody .own circle:first-of-type{fill:var(--lit)}
.own .span{stroke:var(--lit);opacity:.45}
.key{display:block;margin-left:auto;overflow:visible}
.dots .key circle{fill:none;stroke:var(--soft);stroke-width:1.8}
.dots th:last-child .key circle{fill:var(--soft)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 10px;padding:0;list-style:none}
.legend li{display:flex;align-items:center;gap:6px}
.lines{display:block;width:100%;overflow:visible}
.s0{--own:var(--lit)}.s1{--own:var(--blue)}.s2{--own:var(--teal)}.s3{--own:var(--violet)}
.s0,.s1,.s2,.s3{stroke:var(--own);stroke-width:2.2}
.s0 path,.s1 path,.s2 path,.s3 path{fill:var(--own);stroke:var(--sheet);stroke-width:1.5}
text.value{fill:var(--ink);stroke:var(--sheet);stroke-width:4px;paint-order:stroke;font-size:12.5px;font-weight:600}
.course{display:grid;grid-template:auto 1fr auto/1fr 44px;gap:0 6px;margin-bottom:12px}
.course span{color:var(--soft);font-size:12px;line-height:1}
.course span:first-child{grid-column:1/-1;margin-bottom:6px}
.course svg{grid-area:2/1/4/2;display:block;width:100%;height:84px;overflow:visible}
.course .bottom{align-self:end}
.course path{fill:none;vector-effect:non-scaling-stroke}
.course path.area{fill:var(--lit-soft)}
.course .edge{stroke:var(--lit);stroke-width:1.2}
.course .limit{stroke:var(--ink);stroke-dasharray:5 4}
.course .begins{stroke:var(--soft);stroke-dasharray:2 3}
.parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:18px 28px;align-items:start}
.bars thead th{color:var(--soft);font-size:12px}
.bars th:first-child{min-width:96px}
.bars thead th:first-child{color:var(--ink);font-weight:600}
.bars td:nth-child(2){width:100%;padding:0 6px 0 12px}
.bars td:nth-child(n+3),.bars th:nth-child(n+3){padding-left:12px;text-align:right}
.all{fill:var(--lit-soft);stroke:var(--lit);stroke-width:1}
.used{fill:var(--lit)}
details{margin-top:12px}section>details:first-child{margin-top:0}
summary{color:var(--soft);cursor:pointer}
.scroll{overflow-x:auto}
.numbers{margin-top:8px;font-size:13px}
.numbers th,.numbers td{padding:2px 14px 2px 0;white-space:nowrap}
.numbers td{text-align:right}
.numbers thead th{color:var(--soft);text-align:right}
.numbers .title th{padding-top:10px;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:8px 0 0}
dt{font-weight:600}dd{margin:0}
li p,.lost p{max-width:none;overflow-wrap:anywhere}
footer{margin-top:36px}
:focus-visible{outline:2px solid var(--lit);outline-offset:2px}
@media(max-width:560px){main{padding:20px 12px 32px}figure,section{padding:14px 12px}dl{grid-template-columns:1fr}dd{margin-bottom:6px}.dots td:nth-child(n+3),.dots thead th{padding-left:8px}.dots td:nth-child(2){padding:0 10px 0 16px}.dots{font-size:13px}}
@media print{figure{break-inside:avoid}}`;
