import { CircleOff } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'
import { banner } from './banner.ts'
import { turnOnAreas } from './registry.ts'

/** The screen works and is in no menu: what it belongs to, and one press that puts it there. */
export function NotInMenu({ areas }: { areas: readonly string[] }) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const turnOn = async () => {
    setBusy(true)
    try {
      await turnOnAreas(areas)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <p className="s-not-in-menu">
      <Icon of={CircleOff} />
      <span>
        {t('modules.offer.notInMenu', { area: areas.map((area) => t(`areas.${area}`)).join(', ') })}
      </span>
      <Button kind="quiet" size="s" busy={busy} onPress={() => void turnOn()}>
        {t('modules.offer.turnOn')}
      </Button>
    </p>
  )
}
