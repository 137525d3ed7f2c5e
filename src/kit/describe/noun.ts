/**
 * A name that a sentence agrees with: `{document}` shows its text, and `{documentGender, select, f {…} other
 * {…}}` chooses the form of a verb or an adjective. Languages without agreement leave the choice out.
 */
export interface Noun {
  text: string
  /** f, m or n, as a message file of the language says. */
  gender: string
}

/** What the gaps of a message are filled with. */
export type Filling = Readonly<Record<string, string | number | Noun>>

/** The name of the choice that agrees with the gap `name`. */
export const genderOf = (name: string): string => `${name}Gender`

/** Every gap with its value; of a noun both its text and its gender. */
export const placeholdersOf = (filling: Filling): [name: string, value: string | number][] =>
  Object.entries(filling).flatMap(([name, value]): [string, string | number][] =>
    typeof value === 'object'
      ? [
          [name, value.text],
          [genderOf(name), value.gender],
        ]
      : [[name, value]],
  )
