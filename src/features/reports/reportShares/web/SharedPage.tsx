import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { ReportTable } from '#kit/web/screens/ReportTable.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { openShare, shareFace, shareLogo } from '../endpoints.ts'
import './shares.css'

type Opened = OutputOf<typeof openShare>

/** A report as its giver shows it: behind a password, under the name of the person who opened it. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(shareFace, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  const [opened, setOpened] = useState<{ share: Opened; name: string }>()
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={shareLogo}
      title={() => opened?.share.title ?? t('screens.sharedReport')}
      missing={{ title: t('reportShares.gone'), text: t('reportShares.goneText') }}
    >
      {(data) =>
        data.state === 'ended' ? (
          <Lead label={t('reportShares.gone')} title={t('reportShares.gone')}>
            <p className="sub">{t('reportShares.goneText')}</p>
          </Lead>
        ) : opened ? (
          <Shown share={opened.share} name={opened.name} />
        ) : (
          <Door pageKey={key} onOpen={(share, name) => setOpened({ share, name })} />
        )
      }
    </BusinessPage>
  )
}

function Door({ pageKey, onOpen }: { pageKey: string; onOpen: (share: Opened, name: string) => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { busy, rest, error, run, place } = useAction(['name', 'password'], async () => {
    onOpen(await call(openShare, { key: pageKey, name, password }), name)
  })
  return (
    <Lead label={t('screens.sharedReport')} title={t('screens.sharedReport')}>
      <p className="sub">{t('reportShares.doorText')}</p>
      <form ref={place as React.RefObject<HTMLFormElement>} className="rs-door" noValidate onSubmit={run}>
        {rest && <Note tone="late">{rest}</Note>}
        <TextField
          label={t('reportShares.fields.name')}
          name="name"
          autoComplete="name"
          value={name}
          onChange={setName}
          {...error('name', name)}
        />
        <PasswordField
          label={t('reportShares.fields.password')}
          name="password"

          value={password}
          onChange={setPassword}
          {...error('password', password)}
        />
        <Button kind="primary" size="l" type="submit" busy={busy}>
          {t('reportShares.open')}
        </Button>
      </form>
    </Lead>
  )
}

function Shown({
  share: { title, period, isFrozen, asOf, expiresOn, answer },
  name,
}: {
  share: Opened
  name: string
}) {
  const t = useWords()
  useWordsOf(answer.shape.words, ...Object.values(answer.shape.columns).flatMap((field) => field.words ?? []))
  return (
    <section className="rs-shown" aria-label={title}>
      <header>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {period.length > 0 && (
          <p className="sub">
            {t('reportShares.period')} <Num>{period.map(formatDay).join(' – ')}</Num>
          </p>
        )}
        <p className="sub">
          {t(isFrozen ? 'reportShares.asOfThen' : 'reportShares.asOfNow')}{' '}
          <Num>{formatMoment(new Date(asOf))}</Num> · {t('reportShares.until')}{' '}
          <Num>{formatDay(expiresOn)}</Num>
        </p>
      </header>
      <p className="rs-mark" aria-hidden="true">
        {Array.from({ length: 24 }, (_, i) => (
          <bdi key={i}>{name}</bdi>
        ))}
      </p>
      <p className="hint">
        {t('reportShares.openedBy')} <bdi>{name}</bdi>
      </p>
      <div className="d-rows">
        <ReportTable answer={answer} density="compact" heading={title} main said={[]} />
      </div>
    </section>
  )
}
