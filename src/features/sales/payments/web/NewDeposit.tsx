import { Landmark } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { createDeposit, moneyInHand, type Cheque } from '../endpoints.ts'
import { depositPath, refreshMoney } from './actions.ts'
import './payments.css'

/** Choosing what goes to the bank: cheques whose day has come, and cash. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const { data, isLoading, error } = useCall(moneyInHand, {})
  const today = useToday()
  const asked = useMemo(() => new Set((query.ids ?? '').split(',').filter(Boolean)), [query.ids])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(asked)
  const [day, setDay] = useState<Day | null>(today)
  const [account, setAccount] = useState<string | null>(null)
  const [cash, setCash] = useState<number | null>(null)
  const [reference, setReference] = useState('')
  const hides = useSession()?.HideTotalPrices ?? false
  const rows = data?.cheques ?? []
  const cheques = rows.filter((row) => chosen.has(row.id))
  const chequesAgorot = cheques.reduce((sum, row) => sum + row.sumAgorot, 0)
  const totalAgorot = chequesAgorot + (cash ?? 0)
  const early = cheques.filter((row) => day && row.dueDay > day).length
  const { place: deedRef, ...deed } = useAction(
    ['date', 'accountId', 'cashAgorot', 'reference'],
    async () => {
      const made = await call(createDeposit, {
        payments: cheques.map((row) => row.id),
        cashAgorot: cash ?? 0,
        reference,
        ...(day ? { date: day } : {}),
        ...(account ? { accountId: account } : {}),
      })
      void refreshMoney()
      banner.success(t('deposits.made', { number: String(made.number) }))
      go(depositPath(made.id))
    },
  )
  const banks = data?.accounts ?? []
  // What is in hand decides the length of the form: shown before it is known, the form would move.
  if (isLoading) return <Skeleton />
  return (
    <>
      <PageHeader
        title={t('screens.newDeposit')}
        crumbs={[{ label: t('payments.title'), href: '/invoice/payments' }]}
      />
      <div className="k-desk">
        <div className="k-stack">
          {error && <Note tone="late">{failureText(t, error)}</Note>}
          <DataTable<Cheque>
            label={t('deposits.form.cheques')}
            rows={rows}
            rowKey={(row) => row.id}
            rowName={(row) => `${t('payments.means.cheque')} ${row.chequeNumber}`}
            loading={isLoading}
            selected={chosen}
            onSelect={setChosen}
            // A press anywhere on the line chooses it, which on a phone is the only way.
            onOpen={({ id }) =>
              setChosen(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
            }
            isOff={(row) => !!day && row.dueDay > day}
            empty={
              <EmptyState icon={Landmark} title={t('deposits.form.noCheques')}>
                {t('deposits.form.noChequesText')}
              </EmptyState>
            }
            columns={[
              {
                key: 'due',
                title: t('payments.fields.dueDay'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{formatDay(row.dueDay)}</Num>,
              },
              {
                key: 'customer',
                title: t('payments.fields.customerId'),
                width: 'trim',
                strong: true,
                phone: 'title',
                cell: (row) => <TextCell value={row.customerName} />,
              },
              {
                key: 'number',
                title: t('payments.fields.chequeNumber'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{row.chequeNumber}</Num>,
              },
              {
                key: 'sum',
                title: t('payments.fields.sumAgorot'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.sumAgorot} />,
              },
              {
                key: 'bank',
                title: t('payments.fields.bankAccount'),
                width: 'fit',
                cell: (row) => <Num>{[row.bank, row.branch, row.account].filter(Boolean).join('-')}</Num>,
              },
            ]}
          />
        </div>
        <form
          className="side"
          noValidate
          aria-label={t('screens.newDeposit')}
          ref={deedRef}
          onSubmit={deed.run}
        >
          <Card>
            <div className="grid gap-4">
              {hides && <Note>{t('deposits.form.hiddenSums')}</Note>}
              {deed.rest && <Note tone="late">{deed.rest}</Note>}
              <DayField
                label={t('deposits.fields.day')}
                name="date"
                value={day}
                max={today}
                onChange={setDay}
                {...deed.error('date', day)}
              />
              {banks.length > 1 && (
                <ChoiceField
                  as="list"
                  label={t('deposits.fields.accountId')}
                  name="accountId"
                  value={account ?? banks[0]!.id}
                  onChange={setAccount}
                  choices={banks.map((one) => ({ value: one.id, label: one.name }))}
                  {...deed.error('accountId', account)}
                />
              )}
              {!hides && (
                <MoneyField
                  label={t('deposits.fields.cashAgorot')}
                  name="cashAgorot"
                  optional
                  value={cash}
                  onChange={setCash}
                  hint={
                    data && (
                      <>
                        {t('deposits.form.cashInHand')} <Money amount={data.cashAgorot} />
                      </>
                    )
                  }
                  {...deed.error('cashAgorot', cash)}
                />
              )}
              <TextField
                label={t('deposits.fields.reference')}
                name="reference"
                ltr
                optional
                max={40}
                value={reference}
                onChange={setReference}
                {...deed.error('reference', reference)}
              />
              <dl className="k-sums" aria-live="polite">
                <div>
                  <dt>{t('deposits.form.chosen', { count: cheques.length })}</dt>
                  <dd>{hides ? <Num>{cheques.length}</Num> : <Money amount={chequesAgorot} />}</dd>
                </div>
                {!hides && (
                  <div className="whole">
                    <dt>{t('deposits.fields.totalAgorot')}</dt>
                    <dd>
                      <Money amount={totalAgorot} />
                    </dd>
                  </div>
                )}
              </dl>
              {early > 0 && <Note tone="wait">{t('deposits.form.early', { count: early })}</Note>}
              <Button
                kind="primary"
                type="submit"
                wide
                icon={Landmark}
                busy={deed.busy}
                {...((hides ? cheques.length === 0 : totalAgorot === 0)
                  ? { blocked: t('deposits.form.nothing') }
                  : {})}
              >
                {t('deposits.form.submit')}
              </Button>
            </div>
          </Card>
        </form>
      </div>
    </>
  )
}
