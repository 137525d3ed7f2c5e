import { Link } from 'react-aria-components/Link'
import { Note } from '#kit/web/parts/Banner.tsx'

interface MergedNoteProps {
  /** The record that remains. */
  href: string
  label: string
  children: string
}

/** Says that a record was merged into another one, and leads there. */
export const MergedNote = ({ href, label, children }: MergedNoteProps) => (
  <Note
    tone="info"
    action={
      <Link className="link text-13" href={href}>
        {label}
      </Link>
    }
  >
    {children}
  </Note>
)
