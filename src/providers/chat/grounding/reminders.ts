/** Words that lead to a statement and ask a listener to keep it, by language; folded. */
const TO_KEEP = [
  String.raw`(?:remember|note|keep in mind|bear in mind|(?:don'?t|do not|never) forget|save|store|memori[sz]e|record|write down|be aware|know)(?: (?:this|down|for me|for later|please))*(?: that)?`,
  "(?:merke?|merkt) (?:dir|euch)(?: bitte)?(?: dass)?|merken sie sich|vergiss (?:bitte )?nicht(?: dass)?|denke? (?:daran|dran)(?: dass)?|notiere?(?: dir)?(?: dass)?|dass",
  "(?:n'oubliez? pas|souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|retiens|retenez|note[zs]?)(?: bien)?(?: que| qu'| de)?",
  "(?:recuerd[ae]|acuerdate|no (?:te )?olvides|ten en cuenta|toma nota|apunta|anota)(?: de)?(?: que)?",
  "(?:ricorda(?:ti)?|non dimenticare|tieni (?:presente|a mente)|prendi nota|segnati|annota)(?: di)?(?: che)?",
  "(?:lembr[ae](?:-te|-se)?|nao (?:te )?esque[cç]as?|tem em conta|toma nota|anota)(?: de)?(?: que)?",
  "(?:onthoud?|vergeet niet|denk eraan|noteer)(?: dat)?",
  "(?:za)?pamietaj(?:cie)?(?: ze)?|nie zapomnij(?: ze)?|zanotuj(?: ze)?",
].join("|");
const COURTESY =
  "hey|hi|ok|okay|so|and|also|please|pls|just|bitte|s'il (?:te|vous) plait|por favor|per favore|alsjeblieft|prosze";
const REQUEST =
  "(?:can|could|would|will) you (?:please )?|(?:i'd|i would) like you to |i (?:want|need) you to |make sure (?:you |to )?|you should |kannst du (?:dir )?|puedes |peux-tu |puoi |podes ";
const LEADING = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:${COURTESY})[,\s]+)*(?:${REQUEST})?(?:${TO_KEEP})(?:[\s,:–—-]+|$)`,
  "u",
);
const EAST_ASIAN =
  /^(?:请|請|麻烦)?你?(?:记住|記住|记得|記得|别忘了|別忘了)[,，:：]?|(?:という)?(?:こと)?を?(?:覚えて|忘れないで|記憶して)(?:おいて)?(?:くだ?さい|下さい|ね)?。?$/u;

/**
 * A folded clause without what asks to keep it: "please remember that I live in Oslo" states
 * that, and neither asks nor denies (D25a).
 */
export function withoutReminder(folded: string): string {
  return folded.replace(LEADING, "").replace(EAST_ASIAN, "");
}
