import { CreditCard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { failureText, useCall, useSend } from '../../../kit/web/call.ts'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import type { PlacedProps } from '../../../kit/web/screens/places.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { beginDocument, checkDocument, documentPay, type Outcome } from '../endpoints.ts'
import { Paid, Trouble } from './Outcome.tsx'
import { OtherWays } from './PayLink.tsx'
import './paymentLinks.css'

/** On a document's page: what is open of it, paid by card or by a payment app. */
export function Part({ of: key, refresh }: PlacedProps) {
  const t = useWords()
  const { query } = usePlace()
  const { data, refetch } = useCall(documentPay, { key }, { refetchOnWindowFocus: false })
  const [outcome, setOutcome] = useState<Outcome>()
  const check = useSend(checkDocument, {
    onSuccess: (said) => {
      setOutcome(said)
      void refetch()
      refresh()
    },
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const begin = useSend(beginDocument, {
    onSuccess: ({ url }) => void (location.href = url),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { charge } = query
  const asked = useRef('')
  useEffect(() => {
    // Asked once for each return, even where effects run twice.
    if (!charge || asked.current === charge) return
    asked.current = charge
    check.mutate({ key, charge })
  }, [charge, key, check])
  if (!data) return null
  const isOver = outcome?.state === 'paid' || outcome?.state === 'surplus'
  if (!isOver && !data.online) return data.openAgorot > 0 ? <OtherWays bankDetails="" phonePayment={data.phonePayment} /> : null
  return (
    <>
      <section className="pl-sum" aria-label={t('paymentLinks.pay.title')}>
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
              busy={begin.isPending || check.isPending}
              onPress={() => begin.mutate({ key })}
            >
              {t('paymentLinks.pay.card')}
            </Button>
            {data.mostInstalments > 1 && <p className="sub">{t('paymentLinks.pay.instalments', { count: data.mostInstalments })}</p>}
          </>
        )}
      </section>
      {!isOver && <OtherWays bankDetails="" phonePayment={data.phonePayment} />}
    </>
  )
}
