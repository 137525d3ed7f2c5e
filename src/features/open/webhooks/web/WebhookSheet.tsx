import { Check, Copy, Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { call, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeWebhook, createWebhook, listWebhooks, type Webhook } from '../endpoints.ts'
import { EventsField } from './EventsField.tsx'

export const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listWebhooks) })

const mostFields = 5

/** Adds an address or changes it; of a new one it then shows the secret, this once. */
export function WebhookSheet({ of, onClose }: { of?: Webhook; onClose: () => void }) {
  const t = useWords()
  const form = useId()
  const hides = useSession()?.HideTotalPrices ?? false
  const [name, setName] = useState(of?.name ?? '')
  const [url, setUrl] = useState(of?.url ?? '')
  const [events, setEvents] = useState<string[]>(of?.events ?? [])
  const [payload, setPayload] = useState<'thin' | 'full'>(of?.payload ?? 'thin')
  const [sumAgorot, setSum] = useState<number | null>(of?.filter.sumAgorot ?? null)
  const [fields, setFields] = useState(
    Object.entries(of?.filter.fields ?? {}).map(([path, values]) => ({ path, values: values.join(', ') })),
  )
  const [secret, setSecret] = useState<string>()
  const { busy, rest, error, run, place } = useAction(
    ['name', 'url', 'events', 'payload', 'filter.sumAgorot', 'filter.fields'],
    async () => {
      const said = fields.flatMap(({ path, values }): [string, string[]][] => {
        const list = values
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean)
        return path.trim() && list.length ? [[path.trim(), list]] : []
      })
      const given = { name, url, events, payload, filter: { sumAgorot, fields: Object.fromEntries(said) } }
      if (of) {
        await call(changeWebhook, { id: of.id, ...given })
        await refresh()
        onClose()
      } else {
        setSecret((await call(createWebhook, given)).secret)
        await refresh()
      }
    },
  )
  const fieldsError = error('filter.fields', fields).error
  if (secret) return <SecretSheet secret={secret} onClose={onClose} />
  return (
    <SideSheet
      isOpen
      size="l"
      dirty={name !== (of?.name ?? '') || url !== (of?.url ?? '')}
      onClose={onClose}
      title={t(of ? 'webhooks.edit' : 'webhooks.add')}
      actions={
        <Button kind="primary" type="submit" form={form} busy={busy}>
          {t(of ? 'webhooks.save' : 'webhooks.create')}
        </Button>
      }
    >
      <form id={form} className="wh-form" noValidate ref={place} onSubmit={run}>
        <TextField
          label={t('webhooks.fields.url')}
          hint={t('webhooks.hints.url')}
          ltr
          type="url"
          value={url}
          onChange={setUrl}
          max={1000}
          autoFocus
          {...error('url', url)}
        />
        <TextField
          label={t('webhooks.fields.name')}
          hint={t('webhooks.hints.name')}
          optional
          value={name}
          onChange={setName}
          max={80}
          {...error('name', name)}
        />
        <ChoiceField<'thin' | 'full'>
          label={t('webhooks.fields.payload')}
          value={payload}
          onChange={(next) => next && setPayload(next)}
          choices={(['thin', 'full'] as const).map((value) => ({
            value,
            label: t(`webhooks.payload.${value}`),
          }))}
          hint={t(`webhooks.payload.${payload}Hint`)}
        />
        <EventsField
          value={events}
          onChange={setEvents}
          payload={payload}
          error={error('events', events).error}
        />
        <fieldset className="wh-filter" aria-describedby={fieldsError ? 'wh-fields-error' : undefined}>
          <legend>{t('webhooks.filter')}</legend>
          {!hides && (
            <MoneyField
              label={t('webhooks.fields.sumAgorot')}
              hint={t('webhooks.hints.sumAgorot')}
              optional
              value={sumAgorot}
              onChange={setSum}
              {...error('filter.sumAgorot', sumAgorot)}
            />
          )}
          {fields.map((one, i) => (
            <div key={i} className="wh-pair">
              <TextField
                label={t('webhooks.fields.path')}
                ltr
                value={one.path}
                max={80}
                onChange={(path) => setFields(fields.map((old, at) => (at === i ? { ...old, path } : old)))}
              />
              <TextField
                label={t('webhooks.fields.values')}
                ltr
                value={one.values}
                max={400}
                onChange={(values) =>
                  setFields(fields.map((old, at) => (at === i ? { ...old, values } : old)))
                }
              />
              <Button
                kind="quiet"
                icon={X}
                label={t('webhooks.dropField')}
                onPress={() => setFields(fields.filter((_, at) => at !== i))}
              />
            </div>
          ))}
          {fields.length < mostFields && (
            <Button kind="quiet" icon={Plus} onPress={() => setFields([...fields, { path: '', values: '' }])}>
              {t('webhooks.addField')}
            </Button>
          )}
          {fieldsError && (
            <p className="k-field-error" id="wh-fields-error" role="alert">
              {fieldsError}
            </p>
          )}
          {fields.length > 0 && <p className="hint">{t('webhooks.hints.fields')}</p>}
        </fieldset>
        {rest && <Note tone="late">{rest}</Note>}
      </form>
    </SideSheet>
  )
}

/** The secret, this once, and what to do with it. */
export function SecretSheet({
  secret,
  isNew = false,
  onClose,
}: {
  secret: string
  isNew?: boolean
  onClose: () => void
}) {
  const t = useWords()
  const [copied, setCopied] = useState(false)
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t(isNew ? 'webhooks.rotated' : 'webhooks.made')}
      actions={
        <Button kind="primary" onPress={onClose}>
          {t('webhooks.kept')}
        </Button>
      }
    >
      <div className="wh-form">
        <Note tone="wait">{t('webhooks.once')}</Note>
        <pre className="wh-code" dir="ltr" data-secret>
          {secret}
        </pre>
        <Button
          icon={copied ? Check : Copy}
          onPress={() =>
            void navigator.clipboard?.writeText(secret).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {t(copied ? 'webhooks.copied' : 'webhooks.copy')}
        </Button>
        <p className="sub">{t('webhooks.how')}</p>
      </div>
    </SideSheet>
  )
}
