import { useState } from 'react'
import { call, failureText } from '../../../kit/web/call.ts'
import { ChoiceField } from '../../../kit/web/fields/ChoiceField.tsx'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../kit/web/parts/Dialog.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { giveConsent } from '../endpoints.ts'
import { refreshCustomers } from './deeds.tsx'
import './parties.css'

const ways = ['paper', 'mail', 'phone'] as const

/** Notes how and by whom the consent was given; when, is now. */
export function ConsentDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const [how, setHow] = useState<(typeof ways)[number]>('paper')
  const [by, setBy] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const save = async () => {
    setBusy(true)
    try {
      await call(giveConsent, { id, how, by })
      await refreshCustomers()
      onClose()
      banner.success(t('customers.consent.noted'))
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
      title={t('customers.consent.title', { name })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button kind="primary" busy={busy} onPress={() => void save()}>
            {t('customers.consent.note')}
          </Button>
        </>
      }
    >
      <div className="pa-stack">
        <p className="sub">{t('customers.consent.text')}</p>
        {failed && <Note tone="late">{failed}</Note>}
        <ChoiceField
          label={t('customers.fields.consentHow')}
          value={how}
          onChange={(next) => next && setHow(next)}
          choices={ways.map((value) => ({ value, label: t(`customers.consentHow.${value}`) }))}
        />
        <TextField label={t('customers.fields.consentBy')} value={by} onChange={setBy} max={120} optional />
      </div>
    </Dialog>
  )
}
