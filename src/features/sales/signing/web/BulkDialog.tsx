import { Send } from 'lucide-react'
import { useState } from 'react'
import { call, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bulkTemplate, type TemplateAnswer } from '../endpoints.ts'
import { identities } from '../shapes.ts'
import { signRequests } from '../signing.ts'

interface Line {
  name: string
  email: string | null
  phone: string | null
}

/** 'Name, address or phone' a line, as people paste them out of a table. */
export function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.split(/[\t,;]/).map((part) => part.trim()))
    .filter((parts) => parts.some(Boolean))
    .map((parts) => {
      const email = parts.find((part) => part.includes('@')) ?? null
      const phone = parts.find((part) => /^[+\d][\d\s().-]{6,}$/.test(part)) ?? null
      return {
        name: parts.find((part) => part && part !== email && part !== phone) ?? email ?? phone ?? '',
        email,
        phone,
      }
    })
}

/** A separate document to each of a list. */
export function BulkDialog({ of, onClose }: { of: TemplateAnswer; onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  const [message, setMessage] = useState('')
  const [identity, setIdentity] = useState<(typeof identities)[number]>('link')
  const rows = linesOf(text)
  const send = async () => {
    const { ids } = await call(bulkTemplate, {
      id: of.id,
      message,
      rows: rows.map((row) => ({
        ...row,
        identity,
        channel: row.email ? ('mail' as const) : ('sms' as const),
      })),
    })
    void queryClient.invalidateQueries({ queryKey: ['signRequests.list'] })
    onClose()
    banner.success(t('signing.bulk.sent', { count: ids.length }))
    go(signRequests.screens.list)
  }
  return (
    <FormDialog
      title={t('signing.bulk.title')}
      verb={rows.length ? t('signing.bulk.verb', { count: rows.length }) : t('signing.send.verb')}
      icon={Send}
      m
      isDisabled={rows.length === 0}
      names={['rows', 'message']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          <LongText
            label={t('signing.bulk.list')}
            hint={t('signing.bulk.hint')}
            rows={8}
            value={text}
            onChange={setText}
            {...refusal('rows', text)}
          />
          <ChoiceField
            label={t('signing.send.identity')}
            value={identity}
            onChange={(next) => setIdentity(next ?? 'link')}
            choices={identities.map((value) => ({ value, label: t(`signing.identity.${value}`) }))}
          />
          <LongText
            label={t('signing.send.message')}
            value={message}
            onChange={setMessage}
            rows={3}
            max={2000}
            optional
            {...refusal('message', message)}
          />
        </>
      )}
    </FormDialog>
  )
}
