import { Download, FileSpreadsheet, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { formLanguage } from '#domain/filings/form6111/codes.ts'
import { formUnknownIn } from '#domain/law/forms.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, CallFailure, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { file6111, form6111, keepHead6111, type Head6111 } from '../endpoints.ts'
import { Missing, useYear } from './shared.tsx'

type Form = OutputOf<typeof form6111>
type Line = Form['profitAndLoss'][number]
const parts = ['profitAndLoss', 'taxAdjustment', 'balanceSheet'] as const

/**
 * Form 6111 of a tax year: its three parts, what cannot be placed, what must hold, and the file for the
 * authority.
 */
export function Screen() {
  const t = useWords()
  const fetchFile = useFile()
  const may = useCan()('filings.make')
  const sees = !useSession()?.HideTotalPrices
  const { year, choice } = useYear()
  const { data, error, refetch } = useCall(form6111, { year })
  const [part, setPart] = useState<string>('profitAndLoss')
  const [edits, setEdits] = useState(false)
  const [opened, setOpened] = useState<Line>()
  const save = () => void fetchFile(file6111, { year })
  return (
    <div className="fi-stack">
      <PageHeader
        title={t('screens.report6111')}
        sub={t('filings.form6111.sub')}
        actions={
          may &&
          sees && (
            <>
              <Button onPress={() => setEdits(true)}>{t('filings.form6111.head')}</Button>
              <Button kind="primary" icon={Download} onPress={save}>
                {t('filings.form6111.file')}
              </Button>
            </>
          )
        }
      >
        <Views
          label={t('screens.report6111')}
          value={part}
          onChange={setPart}
          views={parts.map((key) => ({ key, label: t(`filings.form6111.parts.${key}`) }))}
        />
      </PageHeader>
      {choice}
      {!data ? (
        <Missing error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Checks form={data} />
          <Problems form={data} />
          <DataTable
            label={t(`filings.form6111.parts.${part}`)}
            main
            density="dense"
            rows={data[part as (typeof parts)[number]]}
            rowKey={(row) => String(row.code)}
            rowName={(row) => String(row.code)}
            isSum={(row) => row.isTotal}
            onOpen={(row) => {
              if (row.accounts.length) setOpened(row)
            }}
            empty={
              <EmptyState icon={FileSpreadsheet} title={t('filings.form6111.empty.title')}>
                {t('filings.form6111.empty.text')}
              </EmptyState>
            }
            columns={[
              {
                key: 'code',
                title: t('filings.form6111.code'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{row.code}</Num>,
              },
              {
                key: 'name',
                title: t('filings.form6111.line'),
                strong: true,
                width: 'trim',
                phone: 'title',
                // The form's own words, in every language.
                cell: (row) => (
                  <span lang={formLanguage}>
                    <TextCell value={row.name} />
                  </span>
                ),
              },
              {
                key: 'amount',
                title: t('filings.columns.amount'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.amountAgorot} zero="show" />,
              },
            ]}
          />
          {opened && <AccountsSheet year={year} line={opened} onClose={() => setOpened(undefined)} />}
          {edits && <HeadSheet form={data} onClose={() => setEdits(false)} />}
        </>
      )}
    </div>
  )
}

/** The account heads every table here and leads to its card. */
const accountColumn = (t: Words) =>
  ({
    key: 'account',
    title: t('filings.form6111.account'),
    strong: true,
    width: 'trim',
    phone: 'title',
  }) as const

/** The account's card in the year of the form. */
const cardOf = (accountId: string, year: number): string =>
  `/invoice/cardskarteset/${accountId}?from=${year}-01-01&to=${year}-12-31`

/** What a line of the form is made of, each account leading to its card of the year. */
function AccountsSheet({ year, line, onClose }: { year: number; line: Line; onClose: () => void }) {
  const t = useWords()
  // Profit that no entry closed, stock at both ends of the year and whole shekels come of the form and of no
  // account.
  const rest = line.amountAgorot - line.accounts.reduce((sum, { amountAgorot }) => sum + amountAgorot, 0)
  return (
    <SideSheet isOpen onClose={onClose} title={`${line.code} ${line.name}`}>
      <DataTable
        label={t('filings.form6111.madeOf')}
        density="dense"
        rows={[
          ...line.accounts.map((one, i) => ({ ...one, key: String(i) })),
          ...(rest
            ? [{ key: 'rest', accountId: '', account: t('filings.form6111.byForm'), amountAgorot: rest }]
            : []),
        ]}
        rowKey={(row) => row.key}
        rowName={(row) => row.account}
        rowHref={(row) => (row.accountId ? cardOf(row.accountId, year) : undefined)}
        columns={[
          {
            ...accountColumn(t),
            cell: (row) => <bdi>{row.account}</bdi>,
            foot: t('filings.form6111.line'),
          },
          {
            key: 'amount',
            title: t('filings.columns.amount'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.amountAgorot} />,
            foot: <MoneyCell value={line.amountAgorot} zero="show" />,
          },
        ]}
      />
    </SideSheet>
  )
}

function Checks({ form }: { form: Form }) {
  const t = useWords()
  const knownTo = formUnknownIn('form6111', form.year)
  const failing = form.identities.filter(({ ok }) => !ok)
  return (
    <>
      {failing.length === 0 && form.problems.length === 0 && form.differences.length === 0 && (
        <Note tone="done">{t('filings.form6111.holds')}</Note>
      )}
      {failing.map((one) => (
        <Note key={one.name} tone="wait">
          {t(`filings.form6111.identities.${one.name}`)}{' '}
          <MoneyCell value={one.leftAgorot - one.rightAgorot} />
        </Note>
      ))}
      {form.differences.map((one) => (
        <Note
          key={one.accountId}
          tone="late"
          action={
            <Button size="s" href={cardOf(one.accountId, form.year)}>
              {t('filings.form6111.openCard')}
            </Button>
          }
        >
          {t('filings.form6111.sumsDiffer', { account: one.account })}{' '}
          <MoneyCell value={one.entriesAgorot - one.sumsAgorot} />
        </Note>
      ))}
      {knownTo !== undefined && (
        <Note tone="wait">
          {t('law.formUnknown', { form: t('law.form.form6111'), year: String(knownTo) })}
        </Note>
      )}
      {form.head === null && <Note>{t('errors.filings.headMissing')}</Note>}
      {form.head !== null && form.isPartnership && form.head.partners === null && (
        <Note>{t('errors.filings.partnersMissing')}</Note>
      )}
    </>
  )
}

function Problems({ form }: { form: Form }) {
  const t = useWords()
  if (form.problems.length === 0) return null
  return (
    <Card title={t('filings.form6111.problems')} hint={t('filings.form6111.problemsHint')} flush>
      <DataTable
        label={t('filings.form6111.problems')}
        density="dense"
        rows={form.problems.map((row, i) => ({ ...row, key: String(i) }))}
        rowKey={(row) => row.key}
        rowName={(row) => row.account ?? String(row.line)}
        rowHref={(row) => (row.accountId ? cardOf(row.accountId, form.year) : undefined)}
        columns={[
          {
            ...accountColumn(t),
            cell: (row) => (row.account ? <bdi>{row.account}</bdi> : <Num>{row.line}</Num>),
          },
          {
            key: 'why',
            title: t('filings.form6111.why'),
            width: 'fit',
            phone: 'state',
            cell: (row) => <StatusPill tone="wait">{t(`filings.form6111.problem.${row.code}`)}</StatusPill>,
          },
          {
            key: 'amount',
            title: t('filings.columns.amount'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.amountAgorot} />,
          },
        ]}
      />
    </Card>
  )
}

const first: Head6111 = {
  branch: '',
  description: '',
  businessKind: '3',
  method: '2',
  opinion: '9',
  withBalanceSheet: true,
  partners: null,
  partnersShareBp: null,
}
interface Adjustment {
  key: number
  code: string | null
  amountAgorot: number | null
}
let keys = 0

function HeadSheet({ form, onClose }: { form: Form; onClose: () => void }) {
  const t = useWords()
  const id = useId()
  const [head, setHead] = useState<Head6111>(form.head ?? first)
  const [lines, setLines] = useState<Adjustment[]>(() =>
    form.adjustments.map(({ code, amountAgorot }) => ({ key: ++keys, code: String(code), amountAgorot })),
  )
  const put = (change: Partial<Head6111>) => setHead((old) => ({ ...old, ...change }))
  const change = (key: number, of: Partial<Adjustment>) =>
    setLines((old) => old.map((one) => (one.key === key ? { ...one, ...of } : one)))
  const propose = () =>
    setLines((old) => [
      ...old.filter((one) => !form.proposed.some(({ code }) => String(code) === one.code)),
      ...form.proposed.map(({ code, amountAgorot }) => ({ key: ++keys, code: String(code), amountAgorot })),
    ])
  // A line of which nothing is filled is none.
  const begun = lines.filter(({ code, amountAgorot }) => code || amountAgorot)
  const { busy, rest, error, run, place } = useAction(
    [
      'head.branch',
      'head.description',
      'head.partners',
      'head.partnersShareBp',
      ...begun.flatMap((_, i) => [`adjustments.${i}.code`, `adjustments.${i}.amountAgorot`]),
    ],
    async () => {
      const adjustments = begun.map(({ code, amountAgorot }, i) => {
        if (code && amountAgorot) return { code: Number(code), amountAgorot }
        const path = `adjustments.${i}.${code ? 'amountAgorot' : 'code'}`
        throw new CallFailure({ code: 'kit.badInput', status: 422, errors: [{ path, code: 'fields.need' }] })
      })
      await call(keepHead6111, { year: form.year, head, adjustments })
      await queryClient.invalidateQueries({ queryKey: keyOf(form6111) })
      banner.success(t('kit.forms.saved'))
      onClose()
    },
  )
  const choices = (name: 'businessKind' | 'method' | 'opinion', of: readonly string[]) =>
    of.map((value) => ({ value, label: t(`filings.form6111.${name}.${value}`) }))
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      size="l"
      title={t('filings.form6111.headOf', { year: form.year })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </>
      }
    >
      <form id={id} className="fi-form" noValidate ref={place} onSubmit={run}>
        {rest && (
          <div className="wide">
            <Note tone="late">{rest}</Note>
          </div>
        )}
        <TextField
          label={t('filings.form6111.branch')}
          hint={t('filings.form6111.branchHint')}
          ltr
          inputMode="numeric"
          max={4}
          value={head.branch}
          onChange={(branch) => put({ branch })}
          {...error('head.branch', head.branch)}
        />
        <TextField
          label={t('filings.form6111.description')}
          max={50}
          value={head.description}
          onChange={(description) => put({ description })}
          {...error('head.description', head.description)}
        />
        <div className="wide">
          <ChoiceField
            label={t('filings.form6111.businessKind.label')}
            value={head.businessKind}
            onChange={(businessKind) =>
              businessKind && put({ businessKind: businessKind as Head6111['businessKind'] })
            }
            choices={choices('businessKind', ['1', '2', '3', '4'])}
          />
        </div>
        <ChoiceField
          label={t('filings.form6111.method.label')}
          value={head.method}
          onChange={(method) => method && put({ method: method as Head6111['method'] })}
          choices={choices('method', ['1', '2'])}
        />
        <ChoiceField
          as="list"
          label={t('filings.form6111.opinion.label')}
          value={head.opinion}
          onChange={(opinion) => opinion && put({ opinion: opinion as Head6111['opinion'] })}
          choices={choices('opinion', ['9', '1', '2', '3', '4', '5', '6'])}
        />
        <div className="wide">
          <FlagField
            label={t('filings.form6111.withBalanceSheet')}
            value={head.withBalanceSheet}
            onChange={(withBalanceSheet) => put({ withBalanceSheet })}
          />
        </div>
        {form.isPartnership && (
          <>
            <WholeField
              label={t('filings.form6111.partners')}
              value={head.partners}
              onChange={(partners) => put({ partners })}
              {...error('head.partners', head.partners)}
            />
            <PercentField
              label={t('filings.form6111.partnersShare')}
              hint={t('filings.form6111.partnersShareHint')}
              value={head.partnersShareBp}
              onChange={(partnersShareBp) => put({ partnersShareBp })}
              {...error('head.partnersShareBp', head.partnersShareBp)}
            />
          </>
        )}
        <h3 className="wide">{t('filings.form6111.adjustments')}</h3>
        <div className="wide fi-stack">
          {lines.map((line) => (
            <div key={line.key} className="fi-line">
              <ChoiceField
                as="list"
                label={t('filings.form6111.line')}
                value={line.code}
                onChange={(code) => change(line.key, { code })}
                choices={form.adjustable.map(({ code, name }) => ({
                  value: String(code),
                  label: `${code} ${name}`,
                }))}
                {...error(`adjustments.${begun.indexOf(line)}.code`, line.code)}
              />
              <MoneyField
                label={t('filings.columns.amount')}
                value={line.amountAgorot}
                onChange={(amountAgorot) => change(line.key, { amountAgorot })}
                {...error(`adjustments.${begun.indexOf(line)}.amountAgorot`, line.amountAgorot)}
              />
              <Button
                kind="quiet"
                icon={Trash2}
                label={t('filings.form6111.dropLine')}
                onPress={() => setLines((old) => old.filter((one) => one.key !== line.key))}
              />
            </div>
          ))}
          <div className="fi-acts">
            <Button
              size="s"
              icon={Plus}
              onPress={() => setLines((old) => [...old, { key: ++keys, code: null, amountAgorot: null }])}
            >
              {t('filings.form6111.addLine')}
            </Button>
            {form.proposed.length > 0 && (
              <Button size="s" kind="quiet" onPress={propose}>
                {t('filings.form6111.propose')}
              </Button>
            )}
          </div>
        </div>
      </form>
    </SideSheet>
  )
}
