/** Named characters of roff as pages use them; the rest are left out. */
export const characters: ReadonlyMap<string, string> = new Map(
  (
    'bu • em — en – hy - mi − dq " aq \' cq ’ oq ‘ lq “ rq ” Bq „ bq ‚ fo ‹ fc › Fo « Fc » ha ^ ti ~ ga ` aa ´ at @ rs \\ sl / ' +
    'lB [ rB ] lC { rC } la ⟨ ra ⟩ or | ba | br │ ul _ rn ‾ sh # Do $ co © rg ® tm ™ de ° mu × di ÷ +- ± t+- ± ** ∗ pl + eq = ' +
    '-> → <- ← <> ↔ ua ↑ da ↓ rA ⇒ lA ⇐ >= ≥ <= ≤ != ≠ == ≡ ~~ ≈ ap ∼ no ¬ tno ¬ if ∞ sc § ps ¶ dg † dd ‡ ct ¢ Eu € eu € Po £ Ye ¥ ' +
    '12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ *a α *b β *g γ *d δ *e ε *l λ *m μ *p π *s σ *h θ *w ω *D Δ *S Σ *W Ω mc µ ss ß ae æ AE Æ ' +
    "o/ ø O/ Ø oa å oA Å 'a á 'e é 'i í 'o ó 'u ú 'A Á 'E É :a ä :e ë :i ï :o ö :u ü :A Ä :O Ö :U Ü `a à `e è `o ò `u ù ^a â " +
    '^e ê ^i î ^o ô ^u û ~n ñ ~a ã ~o õ ,c ç ,C Ç r! ¡ r? ¿ ci ○ sq □ OK ✓ lh ☜ rh ☞ CR ↵ fm ′ sd ″ tf ∴ mo ∈ es ∅ sr √ pd ∂ gr ∇ is ∫'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, at, all) => {
      if (at % 2 === 0) pairs.push([word, all[at + 1] as string]);
      return pairs;
    }, []),
);
