import { CreditCard } from 'lucide-react'
import { askAhead, failureText, useCall, useSend } from '#kit/web/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { beginDocument, checkDocument, documentPay } from '../endpoints.ts'
import { Paid, Trouble } from './Outcome.tsx'
import { PhonePayment } from './PayLink.tsx'
import './paymentLinks.css'
import { useReturn } from './useReturn.ts'
import { Wallets } from './Wallets.tsx'

export const ahead = (key: string) => askAhead(documentPay, { key })

/** On a document's page: what is open of it, paid by card or by a payment app. */
export function Part({ of: key, refresh }: PlacedProps) {
  const t = useWords()
  const { data, refetch } = useCall(documentPay, { key }, { refetchOnWindowFocus: false })
  const { outcome, isChecking } = useReturn(checkDocument, key, () => {
    void refetch()
    refresh()
  })
  const begin = useSend(beginDocument, {
    onSuccess: ({ url }) => void (location.href = url),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const opening = begin.isPending ? begin.variables?.wallet : undefined
  if (!data) return null
  const isOver = outcome?.state === 'paid' || outcome?.state === 'surplus'
  if (!isOver && !data.online) return data.openAgorot > 0 ? <PhonePayment to={data.phonePayment} /> : null
  return (
    <>
      <Lead label={t('paymentLinks.pay.title')}>
        {isOver ? (
          <Paid paper={outcome.paper} thanks={data.thanks} surplus={outcome.state === 'surplus'} />
        ) : (
          <>
            <p>
              {t('paymentLinks.pay.toPay')} <Money amount={data.openAgorot} />
            </p>
            {data.test && <Note tone="wait">{t('paymentLinks.pay.test')}</Note>}
            <Trouble outcome={outcome} />
            <Button
              kind="primary"
              size="l"
              icon={CreditCard}
              busy={(begin.isPending && !opening) || isChecking}
              onPress={() => begin.mutate({ key })}
            >
              {t('paymentLinks.pay.card')}
            </Button>
            {data.mostInstalments > 1 && (
              <p className="sub">{t('paymentLinks.pay.instalments', { count: data.mostInstalments })}</p>
            )}
            {!isChecking && (
              <Wallets
                of={data.wallets}
                opening={opening}
                onPay={(wallet) => begin.mutate({ key, wallet })}
              />
            )}
          </>
        )}
      </Lead>
      {!isOver && <PhonePayment to={data.phonePayment} />}
    </>
  )
}
