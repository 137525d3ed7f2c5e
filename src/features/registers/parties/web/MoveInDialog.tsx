import { useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { changeMany } from '../endpoints.ts'
import { refreshCustomers } from './actions.tsx'
import './parties.css'

/** Moves customers into a portfolio, one after another as they come to mind. */
export function MoveInDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const [chosen, setChosen] = useState<readonly Option[]>([])
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const save = async () => {
    setBusy(true)
    try {
      const { changed } = await call(changeMany, {
        ids: chosen.map(({ key }) => key),
        set: { portfolioId: id },
      })
      onClose()
      banner.success(t('customers.many.done', { count: changed }))
      await refreshCustomers()
    } catch (e) {
      setFailed(failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('portfolios.move.title', { name })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            onPress={() => void save()}
            {...(chosen.length > 0 ? {} : { blocked: t('portfolios.move.nobody') })}
          >
            {t('portfolios.move.do')}
          </Button>
        </>
      }
    >
      <div className="pa-stack">
        {failed && <Note tone="late">{failed}</Note>}
        <RefField
          label={t('customers.one')}
          value={null}
          autoFocus
          onChange={(option) => option && setChosen((old) => [...old, option])}
          search={async (query, signal) =>
            (await searchIn(customers)(query, signal)).filter(
              ({ key }) => !chosen.some((one) => one.key === key),
            )
          }
        />
        {chosen.length > 0 && (
          <div className="pa-marks">
            {chosen.map((one) => (
              <Chip
                key={one.key}
                removeLabel={`${t('kit.actions.remove')}: ${one.label}`}
                onRemove={() => setChosen((old) => old.filter(({ key }) => key !== one.key))}
              >
                <bdi>{one.label}</bdi>
              </Chip>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  )
}
