/**
 * One page: its opening, and its sections. `{mail}` stands for the address to write to, `{name}` for what the
 * product is called.
 */
export interface LegalText {
  intro: string
  sections: readonly { title: string; body: readonly string[] }[]
}

export interface LegalTexts {
  terms: LegalText
  termsOld: LegalText
  privacy: LegalText
  accessibility: LegalText
}
