import { useState } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { stopByKey, stopFace, stopLogo } from '../endpoints.ts'
import './plans.css'

/**
 * The page of the link in an email: unsubscribe from this report, or subscribe again. Opening it changes nothing,
 * because mail programs open links automatically.
 */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(stopFace, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={stopLogo}
      title={() => t('screens.reportStop')}
      missing={{ title: t('reportPlans.gone'), text: t('reportPlans.goneText') }}
    >
      {(data) => (
        <Door pageKey={key} title={data.title} business={data.business.name} start={data.hasStopped} />
      )}
    </BusinessPage>
  )
}

function Door({
  pageKey,
  title,
  business,
  start,
}: {
  pageKey: string
  title: string
  business: string
  start: boolean
}) {
  const t = useWords()
  const [hasStopped, setStopped] = useState(start)
  const { busy, rest, run, place } = useAction([], async () => {
    setStopped((await call(stopByKey, { key: pageKey, stopped: !hasStopped })).hasStopped)
  })
  return (
    <Lead label={t('screens.reportStop')} title={<bdi>{title}</bdi>}>
      <form ref={place as React.RefObject<HTMLFormElement>} className="rp-stop" noValidate onSubmit={run}>
        <p className="sub" role="status">
          {t(hasStopped ? 'reportPlans.stopIsDone' : 'reportPlans.stopAsk', { business })}
        </p>
        {rest}
        <Button kind={hasStopped ? 'plain' : 'primary'} size="l" type="submit" busy={busy}>
          {t(hasStopped ? 'reportPlans.again' : 'reportPlans.stop')}
        </Button>
      </form>
    </Lead>
  )
}
