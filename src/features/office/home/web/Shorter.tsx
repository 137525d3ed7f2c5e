import { useState } from 'react'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listAreas } from '#features/base/modules/endpoints.ts'
import { choose } from '#features/base/modules/web/index.tsx'

/** Shown once to a business from before the shorter menu: what left it, and the way to have it all back. */
export function Shorter() {
  const t = useWords()
  const { data } = useCall(listAreas, {})
  const [busy, setBusy] = useState(false)
  const left = (data?.rows ?? []).filter(({ on, shown }) => on && !shown)
  const keep = async (areas: Record<string, boolean>) => {
    setBusy(true)
    try {
      await choose({ areas, told: true })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  if (left.length === 0) return null
  return (
    <Card title={t('modules.shorter.title')}>
      <p>{t('modules.shorter.text', { areas: left.map(({ name }) => t(`areas.${name}`)).join(', ') })}</p>
      <div className="home-trades">
        <div className="acts">
          <Button kind="soft" busy={busy} onPress={() => void keep({})}>
            {t('modules.shorter.ok')}
          </Button>
          <Button
            kind="quiet"
            isDisabled={busy}
            onPress={() => void keep(Object.fromEntries(left.map(({ name }) => [name, true])))}
          >
            {t('modules.shorter.all')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
