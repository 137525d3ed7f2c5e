import { Copy, Link2, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatDay, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { WayIn } from '#features/base/session/web/index.tsx'
import { pagePdf } from '#features/sales/documents/endpoints.ts'
import { dealerWayIn, dropLink, makeLink, myAffiliate, saveAccount } from '../endpoints.ts'
import { AccountFields } from './AccountFields.tsx'
import { BrandNotes } from './Standing.tsx'
import { payoutColumns } from './payoutColumns.tsx'
import { PlanLines } from './PlanLines.tsx'
import './affiliates.css'

type Mine = OutputOf<typeof myAffiliate>
const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(myAffiliate) })
const signupTone: Record<Mine['signUps'][number]['state'], StatusTone> = {
  counted: 'done',
  held: 'wait',
  refused: 'draft',
}

/** The main page of an affiliate: what the links brought, what that earned, what was paid. */
export function AffiliateHome() {
  const t = useWords()
  const copy = useCopy()
  const { data, error, refetch } = useCall(myAffiliate, {})
  const [dialog, setDialog] = useState<'link' | 'account' | 'wayIn'>()
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={8} />
  const { figures, account } = data
  const hasAccount = account.bankAccount !== null && account.bankAccount !== ''
  return (
    <div className="af-stack">
      <PageHeader
        title={t('affiliates.home.title')}
        sub={t('affiliates.home.sub', { operator: data.operator })}
        actions={
          <>
            <Button onPress={() => setDialog('account')}>{t('affiliates.home.account')}</Button>
            <Button
              kind="primary"
              icon={Link2}
              onPress={() => setDialog('link')}
              isDisabled={data.state === 'stopped'}
            >
              {t('affiliates.home.newLink')}
            </Button>
          </>
        }
      />
      {data.state !== 'active' && (
        <Note tone={data.state === 'stopped' ? 'late' : 'wait'}>{t(`affiliates.home.${data.state}`)}</Note>
      )}
      {data.state !== 'stopped' && !hasAccount && <Note tone="wait">{t('affiliates.home.noAccount')}</Note>}
      <Figures label={t('affiliates.home.title')}>
        <Figure
          label={t('affiliates.figure.views')}
          value={<Num>{figures.views}</Num>}
          href="/invoice/reportaffiliate"
        />
        <Figure label={t('affiliates.figure.signUps')} value={<Num>{figures.signUps}</Num>} />
        <Figure label={t('affiliates.figure.paying')} value={<Num>{figures.paying}</Num>} />
        <Figure
          label={t('affiliates.figure.earned')}
          amount={figures.earnedAgorot}
          exact
          note={figures.heldAgorot !== 0 ? t('affiliates.figure.heldNote') : undefined}
        />
        <Figure label={t('affiliates.figure.due')} amount={figures.dueAgorot} exact tone="result" />
        <Figure label={t('affiliates.figure.paid')} amount={figures.paidAgorot} exact />
      </Figures>
      {data.plan && (
        <Card title={t('affiliates.plan.title')}>
          <PlanLines plan={data.plan} />
        </Card>
      )}
      <Card title={t('affiliates.links.title')}>
        <DataTable
          label={t('affiliates.links.title')}
          columns={linkColumns(t)}
          rows={data.links}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          isOff={({ isOld }) => isOld}
          phoneMenu
          menu={(row) =>
            row.isOld
              ? []
              : [
                  {
                    key: 'copy',
                    label: t('affiliates.links.copy'),
                    icon: Copy,
                    onPress: () => copy(row.url),
                  },
                  {
                    key: 'drop',
                    label: t('affiliates.links.drop'),
                    icon: Trash2,
                    onPress: () =>
                      void call(dropLink, { id: row.id }).then(refresh, (e: unknown) =>
                        banner.error(failureText(t, e)),
                      ),
                  },
                ]
          }
        />
      </Card>
      <Card title={t('affiliates.signUps.title')}>
        <DataTable
          label={t('affiliates.signUps.title')}
          columns={signUpColumns(t, data.plan)}
          rows={data.signUps.map((row, at) => ({ ...row, at }))}
          rowKey={({ at }) => String(at)}
          rowName={({ day }) => formatDay(day)}
          isOff={({ state }) => state === 'refused'}
          empty={
            <EmptyState icon={Link2} title={t('affiliates.signUps.none')}>
              {t('affiliates.signUps.noneText')}
            </EmptyState>
          }
        />
      </Card>
      {data.brand && (
        <Card
          title={t('affiliates.brand.mine', { name: data.brand.name })}
          end={
            <Button size="s" onPress={() => setDialog('wayIn')}>
              {t('affiliates.brand.wayIn')}
            </Button>
          }
        >
          <BrandNotes of={data.brand} />
          <DataTable
            label={t('affiliates.brand.mine', { name: data.brand.name })}
            columns={businessColumns(t)}
            rows={data.brand.businesses}
            rowKey={({ id }) => id}
            rowName={({ name }) => name}
            empty={<EmptyState icon={Link2} title={t('affiliates.signUps.none')} />}
          />
        </Card>
      )}
      {data.payouts.length > 0 && (
        <Card title={t('affiliates.payouts.title')}>
          <DataTable
            label={t('affiliates.payouts.title')}
            columns={payoutsOf(t)}
            rows={data.payouts}
            rowKey={({ id }) => id}
            rowName={({ number }) => String(number)}
            isOff={({ state }) => state === 'undone'}
          />
        </Card>
      )}
      {dialog === 'wayIn' && (
        <Suspense>
          <WayIn
            title={t('affiliates.brand.wayIn')}
            text={t('affiliates.brand.wayInText')}
            make={() => call(dealerWayIn, {})}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
      {dialog === 'link' && <LinkDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'account' && <AccountDialog of={account} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

type Words = ReturnType<typeof useWords>

const linkColumns = (t: Words): Column<Mine['links'][number]>[] => [
  {
    key: 'name',
    title: t('affiliates.links.name'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => (
      <span className="af-name">
        <bdi>{row.name}</bdi>
        <bdi className="hint text-12" dir="ltr" title={row.url}>
          {row.url.replace(/^https?:\/\//, '')}
        </bdi>
      </span>
    ),
  },
  {
    key: 'views',
    title: t('affiliates.figure.views'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <Num>{row.views}</Num>,
  },
  {
    key: 'signUps',
    title: t('affiliates.figure.signUps'),
    align: 'amount',
    width: 'fit',
    phone: 'line',
    named: () => true,
    cell: (row) => <Num>{row.signUps}</Num>,
  },
  {
    key: 'paying',
    title: t('affiliates.figure.paying'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <Num>{row.paying}</Num>,
  },
  {
    key: 'earned',
    title: t('affiliates.figure.earned'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.earnedAgorot} />,
  },
]

const signUpColumns = (t: Words, plan: Mine['plan']): Column<Mine['signUps'][number] & { at: number }>[] => [
  {
    key: 'day',
    title: t('affiliates.signUps.day'),
    strong: true,
    width: 'fit',
    phone: 'title',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'link',
    title: t('affiliates.signUps.link'),
    width: 'trim',
    phone: 'line',
    cell: (row) => <bdi>{row.link}</bdi>,
  },
  {
    key: 'state',
    title: t('affiliates.signUps.state'),
    width: 'fit',
    phone: 'state',
    cell: (row) => (
      <StatusPill tone={row.state === 'counted' && row.rank === null ? 'plain' : signupTone[row.state]}>
        {row.state === 'counted' && row.rank === null
          ? t('affiliates.signUps.notYet')
          : t(`affiliates.signup.${row.state}`)}
      </StatusPill>
    ),
  },
  {
    key: 'why',
    title: t('affiliates.signUps.why'),
    width: 'trim',
    cell: (row) =>
      row.state === 'counted'
        ? row.rank !== null && plan
          ? t('affiliates.signUps.place', {
              place: row.rank,
              rate: formatPercent(plan.steps.findLast((step) => step.from <= row.rank!)?.rateBp ?? 0),
            })
          : ''
        : row.reasons.map((reason) => t(`affiliates.reason.${reason}`)).join(' · '),
  },
  {
    key: 'earned',
    title: t('affiliates.figure.earned'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.earnedAgorot} />,
  },
]

const businessColumns = (t: Words): Column<NonNullable<Mine['brand']>['businesses'][number]>[] => [
  {
    key: 'name',
    title: t('affiliates.held.client'),
    strong: true,
    width: 'trim',
    phone: 'title',
    cell: (row) => <bdi>{row.name}</bdi>,
  },
  {
    key: 'day',
    title: t('affiliates.signUps.day'),
    width: 'fit',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'seen',
    title: t('affiliates.brand.seen'),
    width: 'fit',
    phone: 'line',
    named: () => true,
    cell: (row) => (row.seenDay ? <Num>{formatDay(row.seenDay)}</Num> : '–'),
  },
  {
    key: 'people',
    title: t('affiliates.brand.people'),
    align: 'amount',
    width: 'fit',
    cell: (row) => <Num>{row.people}</Num>,
  },
  {
    key: 'state',
    title: t('affiliates.signUps.state'),
    width: 'fit',
    phone: 'state',
    cell: (row) => (
      <StatusPill tone={row.isPaying ? 'done' : 'plain'}>
        {t(row.isPaying ? 'affiliates.brand.pays' : 'affiliates.signUps.notYet')}
      </StatusPill>
    ),
  },
  {
    key: 'earned',
    title: t('affiliates.figure.earned'),
    align: 'amount',
    width: 'fit',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.earnedAgorot} />,
  },
]

const payoutsOf = (t: Words): Column<Mine['payouts'][number]>[] => [
  {
    key: 'day',
    title: t('affiliates.payouts.day'),
    strong: true,
    width: 'fit',
    phone: 'title',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'paper',
    title: t('affiliates.payouts.paper'),
    width: 'fit',
    phone: 'line',
    cell: (row) => (
      <FileButton size="s" endpoint={pagePdf} input={{ key: row.key }}>
        {t('affiliates.payouts.invoice', { number: row.number })}
      </FileButton>
    ),
  },
  ...payoutColumns(t),
]

function LinkDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('affiliates.home.newLink')}
      verb={t('affiliates.links.make')}
      names={['name']}
      onClose={onClose}
      onSubmit={async () => {
        const { url } = await call(makeLink, { name })
        await refresh()
        onClose()
        copy(url)
      }}
    >
      {(error) => (
        <TextField
          label={t('affiliates.links.name')}
          hint={t('affiliates.links.hint')}
          value={name}
          onChange={setName}
          max={60}
          {...error('name', name)}
        />
      )}
    </FormDialog>
  )
}

function AccountDialog({ of, onClose }: { of: Mine['account']; onClose: () => void }) {
  const t = useWords()
  const [bank, setBank] = useState(of.bankCode === null ? null : String(of.bankCode))
  const [branch, setBranch] = useState(of.bankBranch ?? '')
  const [number, setNumber] = useState(of.bankAccount ?? '')
  const [owner, setOwner] = useState(of.bankAccountName ?? '')
  const [password, setPassword] = useState('')
  return (
    <FormDialog
      title={t('affiliates.home.account')}
      verb={t('kit.forms.save')}
      names={['bankCode', 'bankBranch', 'bankAccount', 'bankAccountName', 'password']}
      onClose={onClose}
      onSubmit={async () => {
        await call(saveAccount, {
          bankCode: bank === null ? null : Number(bank),
          bankBranch: branch || null,
          bankAccount: number || null,
          bankAccountName: owner || null,
          password,
        })
        await refresh()
        onClose()
        banner.success(t('affiliates.home.accountSaved'))
      }}
    >
      {(error) => (
        <>
          <p>{t('affiliates.home.accountText')}</p>
          <AccountFields
            bankCode={{ value: bank, onChange: setBank, ...error('bankCode', bank) }}
            bankBranch={{ value: branch, onChange: setBranch, ...error('bankBranch', branch) }}
            bankAccount={{ value: number, onChange: setNumber, ...error('bankAccount', number) }}
          />
          <TextField
            label={t('affiliates.field.owner')}
            optional
            value={owner}
            onChange={setOwner}
            max={120}
            {...error('bankAccountName', owner)}
          />
          <PasswordField
            label={t('session.field.password')}
            value={password}
            onChange={setPassword}
            {...error('password', password)}
          />
        </>
      )}
    </FormDialog>
  )
}
