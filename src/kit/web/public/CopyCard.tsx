import { Copy, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useCopy } from '../hooks/useCopy.ts'
import { useWords } from '../words/words.tsx'
import './public.css'

export interface CopyCardProps {
  title: string
  icon: LucideIcon
  /**
   * The business's own words, as it wrote them: an account to transfer to, a number to pay to. Nothing is
   * shown without any.
   */
  text: string
  /** What to mind, under it. */
  hint?: ReactNode
}

/** A way to pay outside the page, as text that a customer copies to a bank. */
export function CopyCard({ title, icon, text, hint }: CopyCardProps) {
  const t = useWords()
  const copy = useCopy()
  if (!text) return null
  return (
    <Card title={title}>
      <div className="pub-copy">
        <span className="k-tile">
          <Icon of={icon} />
        </span>
        <p dir="auto">{text}</p>
        <Button
          kind="quiet"
          size="s"
          icon={Copy}
          label={`${t('kit.copy.copy')}: ${title}`}
          onPress={() => copy(text)}
        />
      </div>
      {hint && <p className="hint mt-2 text-13">{hint}</p>}
    </Card>
  )
}
