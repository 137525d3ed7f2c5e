import { Copy, CreditCard, Plus, Power, RefreshCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { formatMoment, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  changeTerminal,
  dropTerminal,
  getTerminal,
  listTerminals,
  proveTerminal,
  type TerminalWhole,
} from '../endpoints.ts'
import { Abilities, nameOf, NotReached, refresh, State } from './says.tsx'
import { SettingFields } from './SettingFields.tsx'
import './acquirers.css'

type Proof = OutputOf<typeof proveTerminal>['proofs'][number]

const crumbs = (t: ReturnType<typeof useWords>) => [
  { label: t('screens.settings'), href: '/invoice/Settings' },
  { label: t('screens.settingsPayments'), href: '/invoice/settingspayments' },
]

/** One terminal; without a word of which, the first. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const list = useCall(listTerminals, {}, { enabled: !query.id })
  const id = query.id ?? list.data?.rows[0]?.id
  if (id) return <Page key={id} id={id} />
  if (list.error) return <Failed error={list.error} onRetry={list.refetch} />
  if (!list.data) return <Skeleton lines={8} />
  return (
    <>
      <PageHeader title={t('screens.settingsPayment')} crumbs={crumbs(t)} />
      <EmptyState
        icon={CreditCard}
        title={t('acquirers.terminals.empty.title')}
        actions={
          <Button kind="primary" href="/invoice/onlinemarket">
            {t('acquirers.connect')}
          </Button>
        }
      >
        {t('acquirers.terminals.empty.text')}
      </EmptyState>
    </>
  )
}

function Page({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()('acquirers.change')
  const { query } = usePlace()
  const { data, error, refetch } = useCall(getTerminal, { id }, { staleTime: 0 })
  const [proofs, setProofs] = useState<Proof[] | undefined>(
    query.proved ? [{ ability: 'page', isGood: true, why: '', code: '', words: '' }] : undefined,
  )
  const [dropping, setDropping] = useState(false)
  const prove = useSend(proveTerminal, {
    onSuccess: (answer) => {
      setProofs(answer.proofs)
      void refresh()
    },
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const change = useSend(changeTerminal, {
    onSuccess: () => void refresh(),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={8} />
  const isOff = data.state === 'off'
  return (
    <div className="aq-page">
      <PageHeader
        title={nameOf(t, data)}
        status={<State of={data.state} />}
        sub={<Abilities of={data.abilities} />}
        crumbs={crumbs(t)}
        actions={
          may && (
            <Button
              kind="primary"
              icon={RefreshCw}
              busy={prove.isPending}
              onPress={() => prove.mutate({ id })}
            >
              {t('acquirers.prove')}
            </Button>
          )
        }
        more={
          may
            ? [
                {
                  key: 'power',
                  label: t(isOff ? 'acquirers.turnOn' : 'acquirers.turnOff'),
                  icon: Power,
                  onPress: () => change.mutate({ id, isOff: !isOff }),
                },
                {
                  key: 'drop',
                  label: t('acquirers.drop'),
                  icon: Trash2,
                  tone: 'danger',
                  onPress: () => setDropping(true),
                },
              ]
            : []
        }
      />
      <div role="status" className="aq-notes">
        {!data.isReached && <NotReached />}
        {proofs?.map((proof) => (
          <ProofNote key={proof.ability} of={proof} />
        ))}
        {data.isSandbox && <Note>{t('acquirers.sandboxNote')}</Note>}
        {!proofs && data.state === 'draft' && data.isReached && !data.provedAt && (
          <Note tone="wait">{t('acquirers.draftNote')}</Note>
        )}
        {!proofs && data.state === 'failing' && (
          <Note tone="late">
            {t('acquirers.failingNote', { said: data.lastError || t('acquirers.calls.silent') })}
          </Note>
        )}
        {data.isTest && <Note>{t('acquirers.testHint')}</Note>}
      </div>
      {may && data.fields.length > 0 && <SettingsForm key={`s${data.provedAt}`} of={data} />}
      {may && <TakesForm of={data} />}
      <Week of={data} />
      {!data.isTest && <Address of={data} />}
      <Calls of={data} />
      <Question
        isOpen={dropping}
        onClose={() => setDropping(false)}
        title={t('acquirers.dropAsk')}
        verb={t('acquirers.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropTerminal, { id })
            go('/invoice/settingspayments')
            await refresh()
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('acquirers.dropText')}
      </Question>
    </div>
  )
}

function ProofNote({ of: { ability, isGood, why, code, words } }: { of: Proof }) {
  const t = useWords()
  const said = [code, words].filter(Boolean).join(' ')
  const key = ability === 'list' ? 'list' : 'page'
  // The page says it already.
  if (why === 'notReached') return null
  if (isGood) return <Note tone="done">{t(`acquirers.proved.${key}`)}</Note>
  return (
    <Note tone={key === 'list' ? 'wait' : 'late'}>
      {t(`acquirers.${why === 'away' ? 'away' : 'refused'}.${key}`, { said })}
    </Note>
  )
}

function SettingsForm({ of }: { of: TerminalWhole }) {
  const t = useWords()
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(of.fields.map((field) => [field.name, field.value ?? ''])),
  )
  const { busy, rest, error, run, place } = useAction(
    of.fields.map(({ name }) => `settings.${name}`),
    async () => {
      const after = await call(changeTerminal, { id: of.id, settings: values })
      banner.success(t(after.state === 'draft' ? 'acquirers.savedProve' : 'acquirers.saved'))
      await refresh()
    },
    { stays: true },
  )
  return (
    <Card title={t('acquirers.settings.title')}>
      <form className="aq-form" ref={place} onSubmit={run} noValidate autoComplete="off">
        {rest && <Note tone="late">{rest}</Note>}
        <SettingFields
          fields={of.fields}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          refusal={error}
        />
        <p className="hint">{t('acquirers.keysHint')}</p>
        <div>
          <Button type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

interface Step {
  key: number
  fromAgorot: number | null
  most: number | null
}

function TakesForm({ of }: { of: TerminalWhole }) {
  const t = useWords()
  const [name, setName] = useState(of.name)
  const [currencies, setCurrencies] = useState(of.currencies)
  const [from, setFrom] = useState(of.fromAgorot)
  const [to, setTo] = useState(of.toAgorot)
  const [account, setAccount] = useState(
    of.feeAccountId ? { key: of.feeAccountId, label: of.feeAccountName ?? '' } : null,
  )
  const [steps, setSteps] = useState<Step[]>(() => of.instalments.map((one, key) => ({ ...one, key })))
  const accounts = resourceNamed('accounts')
  const { busy, rest, error, run, place } = useAction(
    ['name', 'currencies', 'fromAgorot', 'toAgorot', 'feeAccountId', 'instalments'],
    async () => {
      await call(changeTerminal, {
        id: of.id,
        name,
        currencies,
        fromAgorot: from,
        toAgorot: to,
        feeAccountId: account?.key ?? null,
        instalments: steps.map(({ fromAgorot, most }) => ({ fromAgorot: fromAgorot ?? 0, most: most ?? 1 })),
      })
      banner.success(t('acquirers.saved'))
      await refresh()
    },
    { stays: true },
  )
  const put = (key: number, change: Partial<Step>) =>
    setSteps((before) => before.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const steperror = error('instalments', steps).error
  const currencyError = error('currencies', currencies).error
  return (
    <Card title={t('acquirers.takes.title')}>
      <form className="aq-form" ref={place} onSubmit={run} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <TextField
          label={t('acquirers.fields.name')}
          optional
          name="name"
          max={60}
          value={name}
          onChange={setName}
          {...error('name', name)}
        />
        {of.mayCurrencies.length > 1 && (
          <fieldset className="aq-flags">
            <legend className="k-label">{t('acquirers.fields.currencies')}</legend>
            {of.mayCurrencies.map((one) => (
              <FlagField
                key={one}
                label={<bdi dir="ltr">{one}</bdi>}
                value={currencies.includes(one)}
                onChange={(on) =>
                  setCurrencies(on ? [...currencies, one] : currencies.filter((other) => other !== one))
                }
              />
            ))}
            {currencyError && <p className="k-error">{currencyError}</p>}
          </fieldset>
        )}
        <div className="aq-pair">
          <MoneyField
            label={t('acquirers.fields.fromAgorot')}
            optional
            name="fromAgorot"
            value={from}
            onChange={setFrom}
            {...error('fromAgorot', from)}
          />
          <MoneyField
            label={t('acquirers.fields.toAgorot')}
            optional
            name="toAgorot"
            value={to}
            onChange={setTo}
            {...error('toAgorot', to)}
          />
        </div>
        {accounts && (
          <RefField
            label={t('acquirers.fields.feeAccountId')}
            hint={t('acquirers.hints.feeAccountId')}
            optional
            clearable
            search={searchIn(accounts)}
            value={account}
            onChange={setAccount as never}
            {...error('feeAccountId', account)}
          />
        )}
        {of.mayInstalments && (
          <fieldset className="aq-steps">
            <legend className="k-label">{t('acquirers.fields.instalments')}</legend>
            <p className="hint">{t('acquirers.instalments.hint')}</p>
            {steps.map((step) => (
              <div key={step.key} className="aq-step">
                <MoneyField
                  label={t('acquirers.fields.fromAgorot')}
                  value={step.fromAgorot}
                  onChange={(next) => put(step.key, { fromAgorot: next })}
                />
                <WholeField
                  label={t('acquirers.instalments.most.label')}
                  value={step.most}
                  onChange={(next) => put(step.key, { most: next })}
                />
                <Button
                  kind="quiet"
                  icon={X}
                  label={t('acquirers.instalments.drop')}
                  onPress={() => setSteps((before) => before.filter(({ key }) => key !== step.key))}
                />
              </div>
            ))}
            {steperror && <p className="k-error">{steperror}</p>}
            <div>
              <Button
                kind="quiet"
                size="s"
                icon={Plus}
                onPress={() =>
                  setSteps((before) => [
                    ...before,
                    { key: Date.now(), fromAgorot: before.length ? null : 0, most: 3 },
                  ])
                }
              >
                {t('acquirers.instalments.add')}
              </Button>
            </div>
          </fieldset>
        )}
        <div>
          <Button type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Week({ of }: { of: TerminalWhole }) {
  const t = useWords()
  const moment = (at: string | null) =>
    at ? <Num>{formatMoment(new Date(at))}</Num> : t('acquirers.week.never')
  const facts: [string, React.ReactNode][] = [
    [t('acquirers.week.lastGood'), moment(of.answeredAt)],
    [
      t('acquirers.week.lastBad'),
      of.failedAt ? (
        <>
          {moment(of.failedAt)} <bdi>{of.lastError}</bdi>
        </>
      ) : (
        t('acquirers.week.never')
      ),
    ],
    ...(of.abilities.includes('token')
      ? [[t('acquirers.week.cards'), <Num key="n">{of.cards}</Num>] as [string, React.ReactNode]]
      : []),
    ...of.week.map(({ kind, code, count, shareBp }): [string, React.ReactNode] => [
      kind === 'paid' ? t('acquirers.week.paid') : `${t(`cardCharges.decline.${kind}`)} (${code})`,
      <Num key="n">
        {count} · {formatPercent(shareBp)}
      </Num>,
    ]),
  ]
  return (
    <Card
      title={t('acquirers.week.title')}
      hint={of.week.length === 0 ? t('acquirers.week.none') : undefined}
    >
      <dl className="aq-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Address({ of }: { of: TerminalWhole }) {
  const t = useWords()
  const copy = useCopy()
  return (
    <Card title={t('acquirers.address.title')}>
      <div className="aq-address">
        <code dir="ltr">{of.noticeTo}</code>
        <Button
          kind="quiet"
          size="s"
          icon={Copy}
          label={`${t('kit.copy.copy')}: ${t('acquirers.address.title')}`}
          onPress={() => copy(of.noticeTo)}
        />
      </div>
      <p className="hint mt-2 text-13">{t('acquirers.address.hint')}</p>
    </Card>
  )
}

function Calls({ of }: { of: TerminalWhole }) {
  const t = useWords()
  return (
    <Card title={t('acquirers.calls.title')} hint={t('acquirers.calls.hint')} flush>
      {of.calls.length === 0 ? (
        <p className="aq-none hint">{t('acquirers.calls.none')}</p>
      ) : (
        <DataTable
          label={t('acquirers.calls.title')}
          rows={of.calls}
          rowKey={(row) => `${row.at}${row.call}${row.tookMs}`}
          columns={[
            {
              key: 'at',
              title: t('acquirers.calls.at'),
              width: 'fit',
              cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
              phone: 'line',
            },
            {
              key: 'call',
              title: t('acquirers.calls.call'),
              width: 'trim',
              strong: true,
              cell: (row) => <bdi dir="ltr">{row.call}</bdi>,
              phone: 'title',
            },
            {
              key: 'answer',
              title: t('acquirers.calls.answer'),
              width: 'trim',
              cell: (row) => (
                <bdi dir="auto">
                  {row.status === 0 && !row.code
                    ? t('acquirers.calls.silent')
                    : [row.code, row.words].filter(Boolean).join(' ')}
                </bdi>
              ),
              phone: 'state',
            },
            {
              key: 'took',
              title: t('acquirers.calls.took'),
              width: 'fit',
              align: 'amount',
              cell: (row) => t('acquirers.calls.ms', { count: row.tookMs }),
            },
          ]}
        />
      )}
    </Card>
  )
}
