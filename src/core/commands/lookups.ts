/** Programs that look around and change nothing, as part of an expression. */
export const lookups =
  'rg|grep|ag|ls|find|fd|cat|nl|diff|cmp|head|tail|sed|awk|wc|test|\\[|which|stat|file|tree|sort|uniq|echo|printf|cd|pwd';
