import { KeyRound, Pencil, Power, RotateCcw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { momentAt } from '#domain/day.ts'
import { formatMoment, withCurrency } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  changeWebhook,
  deliveryStates,
  dropWebhook,
  listDeliveries,
  listWebhooks,
  resend,
  rotateSecret,
  testWebhook,
  type Delivery,
  type Webhook,
} from '../endpoints.ts'
import { DeliverySheet } from './DeliverySheet.tsx'
import { answerText, DeliveryState, eventsText, WebhookState } from './says.tsx'
import { refresh, SecretSheet, WebhookSheet } from './WebhookSheet.tsx'
import './webhooks.css'

type Open = 'edit' | 'rotate' | 'resend' | 'drop'

/** One address: how it is doing and why, what was sent to it and what it answered. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.webhookid ?? ''
  const { data, error } = useCall(listWebhooks, {}, { staleTime: 0, refetchInterval: 5000 })
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const webhook = data?.rows.find((one) => one.id === id)
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  if (!webhook)
    return (
      <EmptyState
        whole
        icon={WebhookIcon}
        title={t('errors.kit.notFound')}
        actions={<Button href="/invoice/webhooks">{t('screens.webhooks')}</Button>}
      />
    )
  const again = async () => {
    await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: keyOf(listDeliveries) })])
  }
  const deed = async (work: () => Promise<string>) => {
    try {
      const said = await work()
      await again()
      banner.success(said)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const isOff = webhook.state === 'off'
  const close = () => setOpen(undefined)
  return (
    <div className="wh-page">
      <PageHeader
        crumbs={[{ label: t('screens.webhooks'), href: '/invoice/webhooks' }]}
        title={webhook.name || new URL(webhook.url).hostname}
        status={<WebhookState of={webhook} />}
        sub={<bdi dir="ltr">{webhook.url}</bdi>}
        actions={
          <>
            {!isOff && (
              <Button
                icon={Send}
                m
                onPress={() =>
                  void deed(async () => {
                    await call(testWebhook, { id })
                    return t('webhooks.testSent')
                  })
                }
              >
                {t('webhooks.test')}
              </Button>
            )}
            {isOff && (
              <Button
                kind="primary"
                icon={Power}
                onPress={() =>
                  void deed(async () => {
                    await call(changeWebhook, { id, on: true })
                    return t('webhooks.turnedOn')
                  })
                }
              >
                {t('webhooks.turnOn')}
              </Button>
            )}
          </>
        }
        more={[
          { key: 'edit', label: t('webhooks.edit'), icon: Pencil, onPress: () => setOpen('edit') },
          ...(isOff
            ? []
            : [
                {
                  key: 'resend',
                  label: t('webhooks.resend'),
                  icon: RotateCcw,
                  onPress: () => setOpen('resend'),
                },
              ]),
          { key: 'rotate', label: t('webhooks.rotate'), icon: KeyRound, onPress: () => setOpen('rotate') },
          ...(isOff
            ? []
            : [
                {
                  key: 'off',
                  label: t('webhooks.turnOff'),
                  icon: Power,
                  onPress: () =>
                    void deed(async () => {
                      await call(changeWebhook, { id, on: false })
                      return t('webhooks.turnedOff')
                    }),
                },
              ]),
          {
            key: 'drop',
            label: t('webhooks.drop'),
            icon: Trash2,
            tone: 'danger',
            onPress: () => setOpen('drop'),
          },
        ]}
      />
      <Health of={webhook} />
      <Facts of={webhook} />
      <Log
        of={webhook}
        onAgain={(eventId) =>
          deed(async () => t('webhooks.resent', { count: (await call(resend, { id, eventId })).count }))
        }
      />
      {open === 'edit' && <WebhookSheet of={webhook} onClose={close} />}
      {open === 'resend' && <ResendDialog of={webhook} onDone={again} onClose={close} />}
      {open === 'rotate' && (
        <RotateDialog
          of={webhook}
          onClose={close}
          onMade={async (made) => {
            await again()
            setSecret(made)
          }}
        />
      )}
      {secret && <SecretSheet secret={secret} isNew onClose={() => setSecret(undefined)} />}
      <Question
        isOpen={open === 'drop'}
        onClose={close}
        title={t('webhooks.dropAsk', { name: webhook.name || webhook.url })}
        verb={t('webhooks.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropWebhook, { id })
            await refresh()
            go('/invoice/webhooks')
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('webhooks.dropText')}
      </Question>
    </div>
  )
}

/** Why it is off, or since when it fails and what comes of that. */
function Health({ of: { state, offWhy, offAt, failingSince } }: { of: Webhook }) {
  const t = useWords()
  const moment = (at: string | null) => (at ? formatMoment(new Date(at)) : '')
  if (state === 'off')
    return (
      <Note tone={offWhy === 'person' ? 'info' : 'wait'}>
        {t(`webhooks.off.${offWhy ?? 'person'}`, { at: moment(offAt) })}
      </Note>
    )
  if (state === 'failing')
    return <Note tone="wait">{t('webhooks.failingSince', { at: moment(failingSince) })}</Note>
  return null
}

function Facts({ of: webhook }: { of: Webhook }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { filter, payload, by, byKey, waiting, lastSentAt, lastStatusCode, oldSecretUntil, apiVersion } =
    webhook
  const said = [
    ...(filter.sumAgorot === null
      ? []
      : [t('webhooks.fromSum', { sum: withCurrency(filter.sumAgorot, 'ILS', lang) })]),
    ...Object.entries(filter.fields).map(([path, values]) => `${path}: ${values.join(', ')}`),
  ]
  const facts = {
    events: <bdi dir="auto">{eventsText(t, webhook)}</bdi>,
    payload: t(`webhooks.payload.${payload}`),
    ...(said.length ? { filter: <bdi>{said.join(' · ')}</bdi> } : {}),
    lastSentAt: lastSentAt ? <Num>{formatMoment(new Date(lastSentAt))}</Num> : t('webhooks.never'),
    ...(lastStatusCode === null ? {} : { lastStatusCode: <Num>{lastStatusCode}</Num> }),
    waiting: <Num>{waiting}</Num>,
    ...(oldSecretUntil ? { oldSecretUntil: <Num>{formatMoment(new Date(oldSecretUntil))}</Num> } : {}),
    apiVersion: <Num>{apiVersion}</Num>,
    by: <bdi>{byKey ? `${by} · ${byKey}` : by}</bdi>,
  }
  return (
    <Card>
      <dl className="wh-facts">
        {Object.entries(facts).map(([word, value]) => (
          <div key={word}>
            <dt>{t(`webhooks.fields.${word}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const everyState = 'all'

function Log({
  of: { id, state: health },
  onAgain,
}: {
  of: Webhook
  onAgain: (eventId: string) => Promise<void>
}) {
  const t = useWords()
  const [state, setState] = useState<Delivery['state'] | typeof everyState>(everyState)
  const [pages, setPages] = useState<string[]>([])
  const [shown, setShown] = useState<string>()
  const before = pages.at(-1)
  const { data, error, isLoading, refetch } = useCall(
    listDeliveries,
    { id, ...(state === everyState ? {} : { state }), ...(before ? { before } : {}) },
    { staleTime: 0, refetchInterval: 4000, placeholderData: (old) => old },
  )
  return (
    <>
      <ChoiceField<Delivery['state'] | typeof everyState>
        label={t('webhooks.log')}
        value={state}
        onChange={(next) => {
          setState(next ?? everyState)
          setPages([])
        }}
        choices={[everyState, ...deliveryStates].map((value) => ({
          value: value as Delivery['state'],
          label: t(`webhooks.delivery.${value}`),
        }))}
      />
      <DataTable
        label={t('webhooks.log')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.eventId}
        rowName={(row) => `${row.name} ${row.number ?? ''}`}
        loading={isLoading}
        onOpen={(row) => setShown(row.eventId)}
        menu={(row) =>
          health === 'off'
            ? []
            : [
                {
                  key: 'again',
                  label: t('webhooks.again'),
                  icon: RotateCcw,
                  onPress: () => void onAgain(row.eventId),
                },
              ]
        }
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Send} title={t('webhooks.logEmpty.title')}>
              {t('webhooks.logEmpty.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'at',
            title: t('webhooks.fields.at'),
            width: 'fit',
            cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
            phone: 'line',
          },
          {
            key: 'event',
            title: t('webhooks.fields.event'),
            strong: true,
            cell: (row) => <bdi dir="ltr">{row.name}</bdi>,
            phone: 'title',
          },
          {
            key: 'number',
            title: t('webhooks.fields.number'),
            width: 'fit',
            cell: (row) => row.number !== null && <Num>{row.number}</Num>,
          },
          {
            key: 'tries',
            title: t('webhooks.fields.tries'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.tries}</Num>,
          },
          {
            key: 'answer',
            title: t('webhooks.fields.answer'),
            width: 'trim',
            cell: (row) => answerText(t, row),
          },
          {
            key: 'ms',
            title: t('webhooks.fields.ms'),
            width: 'fit',
            align: 'amount',
            cell: (row) => row.ms !== null && <Num>{row.ms}</Num>,
          },
          {
            key: 'state',
            title: t('webhooks.fields.state'),
            width: 'fit',
            cell: (row) => <DeliveryState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {(pages.length > 0 || data?.before) && (
        <div className="wh-pages">
          {pages.length > 0 && (
            <Button onPress={() => setPages(pages.slice(0, -1))}>{t('webhooks.newer')}</Button>
          )}
          {data?.before && (
            <Button onPress={() => setPages([...pages, data.before!])}>{t('webhooks.older')}</Button>
          )}
        </div>
      )}
      {shown && (
        <DeliverySheet
          id={id}
          eventId={shown}
          onClose={() => setShown(undefined)}
          {...(health === 'off' ? {} : { onAgain: () => onAgain(shown) })}
        />
      )}
    </>
  )
}

function ResendDialog({
  of: { id },
  onDone,
  onClose,
}: {
  of: Webhook
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const t = useWords()
  const [which, setWhich] = useState<'failed' | 'since'>('failed')
  const [day, setDay] = useState<string | null>(null)
  return (
    <FormDialog
      title={t('webhooks.resend')}
      verb={t('webhooks.resendVerb')}
      icon={RotateCcw}
      names={['since']}
      isDisabled={which === 'since' && !day}
      onClose={onClose}
      onSubmit={async () => {
        const { count } = await call(resend, {
          id,
          ...(day ? { since: momentAt(day, 0).toISOString() } : {}),
          failedOnly: which === 'failed',
        })
        await onDone()
        banner.success(t('webhooks.resent', { count }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <ChoiceField<'failed' | 'since'>
            label={t('webhooks.fields.which')}
            value={which}
            onChange={(next) => next && setWhich(next)}
            choices={(['failed', 'since'] as const).map((value) => ({
              value,
              label: t(`webhooks.which.${value}`),
            }))}
            hint={t(`webhooks.which.${which}Hint`)}
          />
          <DayField
            label={t('webhooks.fields.since')}
            optional={which === 'failed'}
            value={day}
            onChange={setDay}
            {...error('since', day)}
          />
        </>
      )}
    </FormDialog>
  )
}

function RotateDialog({
  of: { id },
  onMade,
  onClose,
}: {
  of: Webhook
  onMade: (secret: string) => Promise<void>
  onClose: () => void
}) {
  const t = useWords()
  const [hours, setHours] = useState<number | null>(24)
  return (
    <FormDialog
      title={t('webhooks.rotate')}
      verb={t('webhooks.rotateVerb')}
      icon={KeyRound}
      names={['overlapHours']}
      onClose={onClose}
      onSubmit={async () => {
        const { secret } = await call(rotateSecret, { id, overlapHours: hours ?? 0 })
        onClose()
        await onMade(secret)
      }}
    >
      {(error) => (
        <WholeField
          label={t('webhooks.fields.overlapHours')}
          hint={t('webhooks.hints.overlapHours')}
          value={hours}
          onChange={setHours}
          {...error('overlapHours', hours)}
        />
      )}
    </FormDialog>
  )
}
