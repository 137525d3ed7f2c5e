import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'
import './public.css'

export interface LeadProps {
  /** What the card is about; read aloud. */
  label: string
  /** The same to see; a card lower on the page, whose matter is named above, goes without. */
  title?: ReactNode
  /** The main figure: large, and the title above it small. */
  sum?: ReactNode
  children?: ReactNode
}

/** The first card of a public page: what it is, how much, and the action. */
export function Lead({ label, title, sum, children }: LeadProps) {
  return (
    <section className="pub-lead" aria-label={label}>
      {title && <h1>{title}</h1>}
      {sum && <p className="sum">{sum}</p>}
      {children}
    </section>
  )
}

/** Says that what can be downloaded here bears the business's digital seal. */
export function Sealed({ by }: { by: string }) {
  const t = useWords()
  return (
    <p className="pub-sealed">
      <Icon of={ShieldCheck} size="s" /> <span>{t('kit.public.sealed', { business: by })}</span>
    </p>
  )
}
