import type { MenuEntry } from '../parts/Menu.tsx'
import type { Words } from '../words/words.tsx'

/** A line of the books somebody may be asked about. */
export interface About {
  /** The address of the line, so that the recipient gets there. */
  path: string
  /** What it is, in the words it is read by. */
  what: string
  day?: string | null | undefined
  /** Absent where amounts are hidden. */
  sumAgorot?: number | null | undefined
}

type Ask = (t: Words, about: About) => MenuEntry[]
let ask: Ask | undefined

/** Says how somebody is asked about a line: in a feature's web/screens.ts. */
export const provideAskAbout = (how: Ask): void => void (ask = how)

/** The action of asking about a line, for the menu of its row or page; nothing for people who may not ask. */
export const askAbout: Ask = (t, about) => ask?.(t, about) ?? []
