import { Plug } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { addTerminal, proveTerminal, type offeredAcquirers } from '../endpoints.ts'
import { pageOf, refresh } from './says.tsx'
import { SettingFields } from './SettingFields.tsx'

type Offered = OutputOf<typeof offeredAcquirers>['rows'][number]

/** Connects an acquirer and tests it at once; the outcome is shown on the terminal's page. */
export function ConnectDialog({ of, onClose }: { of: Offered; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(of.fields.flatMap((field) => (field.start ? [[field.name, field.start]] : []))),
  )
  const called = t(`cardCharges.acquirer.${of.name}`)
  return (
    <FormDialog
      title={t('acquirers.connectTo', { name: called })}
      verb={t('acquirers.connectDo')}
      icon={Plug}
      names={['name', ...of.fields.map((field) => `settings.${field.name}`)]}
      onClose={onClose}
      onSubmit={async () => {
        const { id } = await call(addTerminal, { gateway: of.name, name, settings: values })
        const { proofs } = await call(proveTerminal, { id })
        await refresh()
        go(`${pageOf(id)}${proofs.every(({ isGood }) => isGood) ? '&proved=1' : ''}`)
      }}
    >
      {(refusal) => (
        <>
          <p className="sub">{t(of.isTest ? 'acquirers.testHint' : 'acquirers.keysHint')}</p>
          <SettingFields
            fields={of.fields}
            values={values}
            onChange={(field, value) => setValues((before) => ({ ...before, [field]: value }))}
            refusal={refusal}
          />
          <TextField
            label={t('acquirers.fields.name')}
            hint={t('acquirers.hints.name')}
            optional
            name="name"
            max={60}
            value={name}
            onChange={setName}
            {...refusal('name', name)}
          />
        </>
      )}
    </FormDialog>
  )
}
