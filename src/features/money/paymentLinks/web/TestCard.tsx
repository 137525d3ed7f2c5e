import { CreditCard, Link2Off, Undo2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { fieldErrors, useCall, useSend } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { KeyPage } from '#kit/web/public/KeyPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { testForm, testPay } from '#features/money/acquirers/endpoints.ts'
import './paymentLinks.css'

const cards: readonly [number: string, does: string][] = [
  ['4242 4242 4242 4242', 'approve'],
  ['5555 5555 5555 4444', 'approve'],
  ['4000 0000 0000 0002', 'decline'],
  ['4000 0000 0000 9995', 'noFunds'],
  ['4000 0000 0000 0119', 'timeout'],
  ['4000 0000 0000 0259', 'lost'],
  ['4000 0000 0000 3220', 'twice'],
  ['4000 0000 0000 5126', 'noRefund'],
]

/**
 * The card form of the test acquirer. It belongs to no business: it looks like nobody's page, and says that
 * no money moves.
 */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(testForm, { key }, { refetchOnWindowFocus: false })
  useTitle(t('screens.testCard'))
  return (
    <KeyPage
      narrow
      asked={asked}
      missing={{
        icon: Link2Off,
        title: t('paymentLinks.pay.notFound'),
        text: t('paymentLinks.pay.notFoundText'),
      }}
    >
      {(data) => <CardForm data={data} pageKey={key} />}
    </KeyPage>
  )
}

function CardForm({ data, pageKey: key }: { data: OutputOf<typeof testForm>; pageKey: string }) {
  const t = useWords()
  const [number, setNumber] = useState('')
  const [month, setMonth] = useState<number | null>(null)
  const [year, setYear] = useState<number | null>(null)
  const [cvv, setCvv] = useState('')
  const [instalments, setInstalments] = useState('1')
  const pay = useSend(testPay, {
    onSuccess: ({ state, returnTo }) => {
      if (state === 'paid') location.href = returnTo
    },
  })
  const refused = pay.error ? fieldErrors(t, pay.error, ['number', 'month', 'year', 'cvv']) : undefined
  const errorOf = (name: string) => (refused?.fields[name] ? { error: refused.fields[name] } : {})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    pay.mutate({
      key,
      number,
      month: month ?? 0,
      year: year === null ? 0 : year < 100 ? 2000 + year : year,
      cvv,
      instalments: Number(instalments),
    })
  }
  const isOver = data.state === 'paid' || data.state === 'closed'
  return (
    <>
      <Note tone="wait">{t('paymentLinks.test.note')}</Note>
      <Lead
        label={t('screens.testCard')}
        title={
          <>
            <bdi>{data.business}</bdi> · <bdi>{data.description}</bdi>
          </>
        }
        sum={<Money amount={data.amountAgorot} />}
      >
        {isOver ? (
          <>
            <p>{t(data.state === 'paid' ? 'paymentLinks.test.paid' : 'paymentLinks.test.closed')}</p>
            <Button kind="primary" href={data.returnTo}>
              {t('paymentLinks.test.back')}
            </Button>
          </>
        ) : (
          <form className="pl-stack" onSubmit={submit} noValidate autoComplete="off">
            {refused?.rest && <Note tone="late">{refused.rest}</Note>}
            {pay.data?.state === 'declined' && (
              <Note tone="late">
                {t(pay.data.code === 'noFunds' ? 'paymentLinks.pay.noFunds' : 'paymentLinks.pay.declined')}
              </Note>
            )}
            <TextField
              ltr
              label={t('paymentLinks.test.number')}
              name="number"
              inputMode="numeric"
              max={23}
              value={number}
              onChange={setNumber}
              {...errorOf('number')}
            />
            <div className="pl-pair">
              <WholeField
                label={t('paymentLinks.test.month')}
                name="month"
                value={month}
                onChange={setMonth}
                {...errorOf('month')}
              />
              <WholeField
                label={t('paymentLinks.test.year')}
                name="year"
                value={year}
                onChange={setYear}
                {...errorOf('year')}
              />
              <TextField
                ltr
                label={t('paymentLinks.test.cvv')}
                name="cvv"
                inputMode="numeric"
                max={4}
                value={cvv}
                onChange={setCvv}
                {...errorOf('cvv')}
              />
            </div>
            {data.mostInstalments > 1 && (
              <ChoiceField
                as="list"
                label={t('paymentLinks.fields.mostInstalments')}
                value={instalments}
                onChange={(value) => setInstalments(value ?? '1')}
                choices={Array.from({ length: data.mostInstalments }, (_, i) => ({
                  value: String(i + 1),
                  label: String(i + 1),
                }))}
              />
            )}
            <div className="pl-acts">
              <Button type="submit" kind="primary" size="l" icon={CreditCard} busy={pay.isPending}>
                {t('paymentLinks.test.pay')}
              </Button>
              <Button kind="quiet" icon={Undo2} m href={data.returnTo}>
                {t('paymentLinks.test.cancel')}
              </Button>
            </div>
          </form>
        )}
      </Lead>
      {!isOver && (
        <Card title={t('paymentLinks.test.cards')}>
          <ul className="pl-tests">
            {cards.map(([one, does]) => (
              <li key={one}>
                <Button
                  kind="quiet"
                  size="s"
                  onPress={() => {
                    setNumber(one)
                    setMonth(12)
                    setYear(2032)
                    setCvv('123')
                  }}
                >
                  <Num>{one}</Num>
                </Button>
                <span className="sub">{t(`paymentLinks.test.does.${does}`)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
