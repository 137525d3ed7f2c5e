import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { masavSettings, saveMasavSettings } from '../endpoints.ts'
import './masav.css'

/** The numbers the clearing centre gives a business; without them no file can be made. */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(masavSettings, {})
  return (
    <>
      <PageHeader
        title={t('screens.masavSettings')}
        sub={t('masav.settingsSub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      />
      {error && !data ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : data ? (
        <Form start={data.settings} />
      ) : (
        <Skeleton lines={5} />
      )}
    </>
  )
}

function Form({ start }: { start: { institution: string; sender: string; code: 'A' | 'B' } | null }) {
  const t = useWords()
  const [institution, setInstitution] = useState(start?.institution ?? '')
  const [sender, setSender] = useState(start?.sender ?? '')
  const [code, setCode] = useState<'A' | 'B'>(start?.code ?? 'B')
  const { busy, rest, error, run, place } = useAction(
    ['institution', 'sender', 'code'],
    async () => {
      putAnswer(
        masavSettings,
        {},
        await call(saveMasavSettings, { institution: institution.trim(), sender: sender.trim(), code }),
      )
      banner.success(t('masav.saved'))
    },
    { stays: true },
  )
  return (
    <Card>
      <form className="ms-narrow" ref={place} onSubmit={run} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <TextField
          label={t('masav.institution')}
          hint={t('masav.institutionHint')}
          value={institution}
          onChange={setInstitution}
          ltr
          inputMode="numeric"
          max={8}
          {...error('institution', institution)}
        />
        <TextField
          label={t('masav.sender')}
          hint={t('masav.senderHint')}
          value={sender}
          onChange={setSender}
          ltr
          inputMode="numeric"
          max={5}
          {...error('sender', sender)}
        />
        <ChoiceField
          label={t('masav.code')}
          hint={t('masav.codeHint')}
          value={code}
          onChange={(next) => next && setCode(next)}
          {...error('code', code)}
          choices={[
            { value: 'A', label: t('masav.codeA') },
            { value: 'B', label: t('masav.codeB') },
          ]}
        />
        <div>
          <Button kind="primary" type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
