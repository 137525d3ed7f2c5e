/** Some keys under a heading, for the help behind `?`. */
export interface KeyGroup {
  title: string
  keys: readonly { keys: string | readonly string[]; does: string }[]
}
