import { useState } from 'react'
import { failureText } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { OrderButtons, swapped } from '#kit/web/parts/OrderButtons.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { tileNames, type Tile } from '../tiles.ts'

/** Which parts of the home page a person sees, and in which order: by finger, mouse and keys alike. */
export function Arrange({
  tiles,
  onClose,
  keep,
}: {
  tiles: readonly Tile[]
  onClose: () => void
  keep: (tiles: Tile[]) => Promise<void>
}) {
  const t = useWords()
  const [now, setNow] = useState<readonly Tile[]>(tiles)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await keep([...now])
      onClose()
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t('home.arrange.title')}
      actions={
        <>
          <Button kind="primary" busy={busy} onPress={() => void save()}>
            {t('kit.forms.save')}
          </Button>
          <Button kind="quiet" onPress={() => setNow(tileNames.map((name) => ({ name, shown: true })))}>
            {t('home.arrange.asItCame')}
          </Button>
        </>
      }
    >
      <ol className="home-arrange">
        {now.map(({ name, shown }, at) => (
          <li key={name}>
            <FlagField
              label={t(`home.tile.${name}`)}
              value={shown}
              onChange={(on) => setNow(now.map((one) => (one.name === name ? { ...one, shown: on } : one)))}
            />
            <span className="acts">
              <OrderButtons
                at={at}
                count={now.length}
                up={t('home.arrange.up', { name: t(`home.tile.${name}`) })}
                down={t('home.arrange.down', { name: t(`home.tile.${name}`) })}
                onMove={(to) => setNow(swapped(now, at, to))}
              />
            </span>
          </li>
        ))}
      </ol>
    </SideSheet>
  )
}
