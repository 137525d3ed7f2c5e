import { Landmark, Pencil } from 'lucide-react'
import { useState } from 'react'
import { groupIban, normaliseIban } from '#domain/iban.ts'
import { formatMoment } from '#domain/format.ts'
import { call, fieldErrors, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { refreshResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AccountDoubt, bankChoices, bankText, ibanOf } from '#features/registers/parties/web/index.tsx'
import { activityOfSupplier, changeBank } from '../../endpoints.ts'
import { bankFields, suppliers, type Supplier } from '../../suppliers.ts'
import { BankChangeNote } from '../BankChange.tsx'
import '../suppliers.css'

type Shown = AnyRow & Supplier

/** The bank account, the step that changes it, and all earlier changes. */
export function Bank({ row }: { row: AnyRow }) {
  const supplier = row as Shown
  const t = useWords()
  const may = useCan()
  const [editing, setEditing] = useState(false)
  const mayChange = may(suppliers.allow.change) && supplier.archivedAt === null
  const iban = ibanOf(supplier)
  const change = mayChange && (
    <Button icon={Pencil} size="s" onPress={() => setEditing(true)}>
      {t(iban ? 'suppliers.bank.change' : 'suppliers.bank.add')}
    </Button>
  )
  return (
    <div className="su-stack">
      <BankChangeNote changedAt={supplier.bankChangedAt} changedBy={supplier.bankChangedBy} />
      {editing ? (
        <BankForm supplier={supplier} onDone={() => setEditing(false)} />
      ) : iban ? (
        <Card title={t('suppliers.sections.bank')} end={change}>
          <dl className="su-facts">
            {supplier.bankCode !== null && (
              <>
                <Fact name="bankCode">{bankText(t, supplier.bankCode)}</Fact>
                <Fact name="bankBranch">
                  <Num>{supplier.bankBranch}</Num>
                </Fact>
                <Fact name="bankAccount">
                  <Num>{supplier.bankAccount}</Num>
                </Fact>
              </>
            )}
            {supplier.bankAccountName && (
              <Fact name="bankAccountName">
                <bdi>{supplier.bankAccountName}</bdi>
              </Fact>
            )}
            <div>
              <dt>IBAN</dt>
              <dd>
                <Num>{groupIban(iban)}</Num>
              </dd>
            </div>
          </dl>
          <AccountDoubt
            code={supplier.bankCode}
            branch={supplier.bankBranch}
            account={supplier.bankAccount}
          />
        </Card>
      ) : (
        <EmptyState icon={Landmark} title={t('suppliers.bank.empty')} actions={change}>
          {t('suppliers.bank.emptyText')}
        </EmptyState>
      )}
      <BankHistory id={supplier.id} />
    </div>
  )
}

function Fact({ name, children }: { name: (typeof bankFields)[number]; children: React.ReactNode }) {
  const t = useWords()
  return (
    <div>
      <dt>{t(`suppliers.fields.${name}`)}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value))
const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '')

function BankForm({ supplier, onDone }: { supplier: Shown; onDone: () => void }) {
  const t = useWords()
  const [values, setValues] = useState(
    () =>
      Object.fromEntries(bankFields.map((name) => [name, textOf(supplier[name])])) as Record<
        (typeof bankFields)[number],
        string
      >,
  )
  const [again, setAgain] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const known = Boolean(supplier.bankAccount || supplier.iban || supplier.bankChangedAt)
  const isEmpty = !values.bankAccount.trim() && !values.iban.trim()
  const isSame =
    values.bankCode === textOf(supplier.bankCode) &&
    Number(values.bankBranch) === Number(supplier.bankBranch ?? '') &&
    digits(values.bankAccount) === textOf(supplier.bankAccount) &&
    (normaliseIban(values.iban) ?? '') === textOf(supplier.iban)
  const asksAgain = known && !isEmpty && !isSame
  const set = (name: (typeof bankFields)[number]) => (next: string) => {
    setValues((old) => ({ ...old, [name]: next }))
    setErrors(({ [name]: _, ...rest }) => rest)
    setProblem(undefined)
  }
  const save = async () => {
    setBusy(true)
    try {
      const saved = (await call(changeBank, {
        id: supplier.id,
        bankCode: values.bankCode === '' ? null : Number(values.bankCode),
        bankBranch: values.bankBranch,
        bankAccount: values.bankAccount,
        bankAccountName: values.bankAccountName,
        iban: values.iban,
        ...(asksAgain ? { again } : {}),
      })) as AnyRow
      await Promise.all([
        refreshResource(suppliers, saved),
        queryClient.invalidateQueries({ queryKey: [activityOfSupplier.name] }),
      ])
      banner.success(t('suppliers.bank.saved'))
      onDone()
    } catch (e) {
      const said = fieldErrors(t, e, [...bankFields, 'again'])
      setErrors(said.fields)
      setProblem(said.rest)
    } finally {
      setBusy(false)
    }
  }
  const field = (name: Exclude<(typeof bankFields)[number], 'bankCode'>) => (
    <TextField
      label={t(`suppliers.fields.${name}`)}
      value={values[name]}
      onChange={set(name)}
      name={name}
      optional={name === 'bankAccountName' || name === 'iban'}
      {...(name === 'iban'
        ? { hint: t('suppliers.hints.iban') }
        : name === 'bankAccountName'
          ? { hint: t('suppliers.hints.bankAccountName') }
          : {})}
      {...(errors[name] ? { error: errors[name] } : {})}
    />
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Card title={t(known ? 'suppliers.bank.change' : 'suppliers.bank.add')}>
        <div className="su-form">
          {known && (
            <div className="wide">
              <Note tone="wait">{t('suppliers.bank.beware')}</Note>
            </div>
          )}
          <div className="wide">
            <ChoiceField
              as="list"
              clearable
              label={t('suppliers.fields.bankCode')}
              value={values.bankCode === '' ? null : values.bankCode}
              onChange={(code) => set('bankCode')(code ?? '')}
              choices={bankChoices(t)}
              {...(errors.bankCode ? { error: errors.bankCode } : {})}
            />
          </div>
          {field('bankBranch')}
          <div>
            {field('bankAccount')}
            <AccountDoubt
              code={values.bankCode === '' ? null : Number(values.bankCode)}
              branch={values.bankBranch}
              account={values.bankAccount}
            />
          </div>
          <div className="wide">{field('bankAccountName')}</div>
          <div className="wide">{field('iban')}</div>
          {asksAgain && (
            <div className="wide">
              <TextField
                label={t('suppliers.bank.again')}
                hint={t('suppliers.bank.againHint')}
                value={again}
                onChange={(next) => {
                  setAgain(next)
                  setErrors(({ again: _, ...rest }) => rest)
                }}
                name="again"
                {...(errors.again ? { error: errors.again } : {})}
              />
            </div>
          )}
          {problem && (
            <div className="wide">
              <Note tone="late">{problem}</Note>
            </div>
          )}
          <div className="wide su-acts">
            <Button kind="primary" type="submit" busy={busy}>
              {t('kit.forms.save')}
            </Button>
            <Button kind="quiet" onPress={onDone}>
              {t('kit.forms.cancel')}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  )
}

/** Every change, with what was there before. */
function BankHistory({ id }: { id: string }) {
  const t = useWords()
  const { data } = useCall(activityOfSupplier, { id, bank: 'true' })
  if (!data?.rows.length) return null
  return (
    <Card title={t('suppliers.bank.history')}>
      <ul className="su-log">
        {data.rows.map((line) => (
          <li key={line.id}>
            <span className="hint text-13">
              <Num>{formatMoment(new Date(line.at))}</Num> ·{' '}
              <bdi>{line.who ?? t('companies.log.system')}</bdi>
            </span>
            <BankDifference before={line.before} after={line.after} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What was written over what, in the words of the form. */
export function BankDifference({ before, after }: { before: unknown; after: unknown }) {
  const t = useWords()
  const [old, next] = [before, after].map((one) => (one ?? {}) as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  const say = (name: string, value: unknown) =>
    value === null || value === undefined
      ? '–'
      : name === 'bankCode'
        ? bankText(t, Number(value))
        : String(value)
  return (
    <dl>
      {bankFields
        .filter((name) => name in old || name in next)
        .map((name) => (
          <div key={name}>
            <dt>{t(`suppliers.fields.${name}`)}:</dt>
            <dd>
              <s className="hint">
                <bdi>{say(name, old[name])}</bdi>
              </s>{' '}
              <bdi>{say(name, next[name])}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}
