import { ArrowRightLeft, Banknote } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { failureText, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { payVat, settleFiling, vatAnswer, vatPeriodFacts } from '../endpoints.ts'

type Facts = OutputOf<typeof vatPeriodFacts>

/**
 * Of a reported period: whether its VAT moved to the account of the VAT authority, and what is still to be
 * paid to it or to come back.
 */
export function Settlement({ data }: { data: Facts }) {
  const t = useWords()
  const may = useCan()
  const [paying, setPaying] = useState(false)
  const settle = useSend(settleFiling, {
    refresh: [vatPeriodFacts, vatAnswer],
    onSuccess: () => void banner.success(t('vat.settle.done')),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { filing, settlement, owed } = data
  if (!filing || !owed) return null
  const change = may('vat.file')
  const left = owed.owedAgorot ?? 0
  return (
    <Card title={t('vat.settle.title')}>
      <div className="vt-settle">
        {settlement ? (
          <p>
            {t('vat.settle.moved', { day: formatDay(settlement.day) })} ·{' '}
            <Money amount={settlement.toPayAgorot ?? 0} />
            {may('reports.accounting') && ' · '}
            {may('reports.accounting') && (
              <Link className="link" href={`/invoice/entries/${settlement.entryId}`}>
                {t('vat.settle.entry')}
              </Link>
            )}
          </p>
        ) : (
          <p>{t(data.brought?.isWhole ? 'vat.brought.settled' : 'vat.settle.offer')}</p>
        )}
        {!settlement && change && !data.brought?.isWhole && (
          <Button
            icon={ArrowRightLeft}
            busy={settle.isPending}
            onPress={() => settle.mutate({ id: filing.id })}
          >
            {t('vat.settle.do')}
          </Button>
        )}
      </div>
      <div className="vt-settle">
        <p>
          {left === 0 ? (
            t('vat.settle.even')
          ) : (
            <>
              {t(left > 0 ? 'vat.settle.owed' : 'vat.settle.due')}: <Money amount={Math.abs(left)} />
            </>
          )}
          {may('reports.accounting') && ' · '}
          {may('reports.accounting') && (
            <Link className="link" href={`/invoice/cardskarteset/${owed.accountId}`}>
              {t('vat.settle.card')}
            </Link>
          )}
        </p>
        {left !== 0 && change && (
          <Button icon={Banknote} onPress={() => setPaying(true)}>
            {t(left > 0 ? 'vat.pay.do' : 'vat.pay.receive')}
          </Button>
        )}
      </div>
      {paying && <Pay left={left} onClose={() => setPaying(false)} />}
    </Card>
  )
}

export function Pay({ left, onClose }: { left: number; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [day, setDay] = useState<string | null>(today)
  const [sum, setSum] = useState<number | null>(Math.abs(left))
  const [account, setAccount] = useState<Option | null>(null)
  const accounts = resourceNamed('accounts')
  const send = useSend(payVat, {
    refresh: [vatPeriodFacts, vatAnswer],
    onSuccess: () => {
      onClose()
      banner.success(t('vat.pay.saved'))
    },
  })
  return (
    <FormDialog
      title={t(left > 0 ? 'vat.pay.title' : 'vat.pay.titleRefund')}
      verb={t('vat.save')}
      names={['day', 'amountAgorot', 'accountId']}
      onClose={onClose}
      onSubmit={() =>
        send.mutateAsync({
          day: day ?? '',
          amountAgorot: Math.sign(left) * (sum ?? 0),
          accountId: account?.key ?? null,
        })
      }
    >
      {(refusal) => (
        <>
          <p>{t('vat.pay.text')}</p>
          <DayField
            label={t('vat.pay.day')}
            value={day}
            onChange={setDay}
            max={today}
            {...refusal('day', day)}
          />
          <MoneyField
            label={t('vat.pay.sum')}
            value={sum}
            onChange={setSum}
            {...refusal('amountAgorot', sum)}
          />
          {accounts && (
            <RefField
              label={t('vat.pay.account')}
              hint={t('vat.pay.accountHint')}
              value={account}
              onChange={setAccount}
              search={searchIn(accounts)}
              {...refusal('accountId', account)}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
