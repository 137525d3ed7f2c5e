import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { giveConsent } from '../endpoints.ts'
import { refreshCustomers } from './actions.tsx'
import './parties.css'

const ways = ['paper', 'mail', 'phone'] as const

/** Notes how and by whom the consent was given; when, is now. */
export function ConsentDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const [how, setHow] = useState<(typeof ways)[number]>('paper')
  const [by, setBy] = useState('')
  return (
    <FormDialog
      title={t('customers.consent.title', { name })}
      verb={t('customers.consent.note')}
      names={['how', 'by']}
      onClose={onClose}
      onSubmit={async () => {
        await call(giveConsent, { id, how, by })
        await refreshCustomers()
        onClose()
        banner.success(t('customers.consent.noted'))
      }}
    >
      {(error) => (
        <>
          <p className="sub">{t('customers.consent.text')}</p>
          <ChoiceField
            label={t('customers.fields.consentHow')}
            value={how}
            onChange={(next) => next && setHow(next)}
            choices={ways.map((value) => ({ value, label: t(`customers.consentHow.${value}`) }))}
            {...error('how', how)}
          />
          <TextField
            label={t('customers.fields.consentBy')}
            value={by}
            onChange={setBy}
            max={120}
            optional
            {...error('by', by)}
          />
        </>
      )}
    </FormDialog>
  )
}
