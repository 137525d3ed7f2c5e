import { Scale } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import '../documents.css'

const notices = ['notice.first', 'consentText', 'notice.certified'] as const

/** Among a new business's first steps, once: what the law asks of documents that are sent as files. */
export function Part() {
  const t = useWords()
  const [explains, setExplains] = useState(false)
  return (
    <div className="home-step">
      <span className="k-tile">
        <Icon of={Scale} />
      </span>
      <span className="grow">
        <b>{t('documents.sending.firstStep')}</b>
        <span className="sub text-13">{t('documents.sending.firstStepText')}</span>
        {explains &&
          notices.map((one) => (
            <span key={one} className="sub text-13">
              {t(`documents.sending.${one}`)}
            </span>
          ))}
      </span>
      <Button kind="quiet" size="s" expanded={explains} onPress={() => setExplains(!explains)}>
        {t('documents.sending.why')}
      </Button>
    </div>
  )
}
