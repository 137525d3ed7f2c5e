import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { adoptElsewhere, session, useElsewhere } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { placeIn, useCompanyDoor } from './company.ts'

/**
 * Said while another tab of this browser works in another business: this page still belongs to the one it was
 * opened for, and the server refuses whatever it sends until the person has chosen.
 */
export function Elsewhere() {
  const t = useWords()
  const next = useElsewhere()
  const { switchTo } = useCompanyDoor()
  const [busy, setBusy] = useState(false)
  const held = session()
  const move = () => {
    const href = next && held ? placeIn(next, location, held.CompanyKey) : location.href
    adoptElsewhere()
    // From the start: nothing of the other business may stay in the page's memory.
    location.assign(href)
  }
  const back = async () => {
    setBusy(true)
    await switchTo?.(held!.CompanyKey!).catch(() => undefined)
    setBusy(false)
  }
  return (
    <div role="alert" className="s-offline-place">
      {next && held && (
        <div className="s-offline s-elsewhere">
          <Icon of={ArrowLeftRight} size="s" />
          <span>{t('kit.elsewhere.text', { here: held.Name, there: next.Name })}</span>
          <Button size="s" onPress={move}>
            {t('kit.elsewhere.move', { there: next.Name })}
          </Button>
          {switchTo && (
            <Button size="s" kind="quiet" busy={busy} onPress={() => void back()}>
              {t('kit.elsewhere.back', { here: held.Name })}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
