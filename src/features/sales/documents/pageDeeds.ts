import type { LucideIcon } from 'lucide-react'
import type { DocumentAnswer } from './endpoints.ts'

/** What another feature does with an issued document, offered on its page among the rest. */
export interface PageDeed {
  key: string
  /** Word key. */
  word: string
  icon: LucideIcon
  offered: (document: DocumentAnswer) => boolean
  open: (document: DocumentAnswer) => void
}

const deeds: PageDeed[] = []

/** Called in a feature's web/screens.ts. */
export const registerPageDeed = (deed: PageDeed): void => void deeds.push(deed)

export const pageDeedsOf = (document: DocumentAnswer): readonly PageDeed[] =>
  deeds.filter((deed) => deed.offered(document))
