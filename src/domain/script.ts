export type Script = 'Hebrew' | 'Arabic' | 'Cyrillic' | 'Latin'

const letters: Record<Script, RegExp> = {
  Latin: /\p{Script=Latin}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
}

const ofLanguage: Record<string, Script> = { he: 'Hebrew', ar: 'Arabic', ru: 'Cyrillic' }

/** The script that a language of the product is written in. */
export const scriptOfLanguage = (language: string): Script => ofLanguage[language] ?? 'Latin'

/** The script of most letters of a text; undefined when it has no letters. Latin wins a tie. */
export function scriptOf(text: string): Script | undefined {
  let found: Script | undefined
  let most = 0
  for (const script of Object.keys(letters) as Script[]) {
    const count = text.match(letters[script])?.length ?? 0
    if (count > most) [found, most] = [script, count]
  }
  return found
}
