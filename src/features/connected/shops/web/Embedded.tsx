import { useEffect, useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { openEmbedded, saveEmbedded, testEmbedded, type ShopCheck } from '../endpoints.ts'
import { RulesFields } from './SettingsForm.tsx'
import './shops.css'

type Opened = OutputOf<typeof openEmbedded>

/** The settings inside Shopify or Wix: the address identifies the shop, signed by them. */
export function Embedded({ kind }: { kind: 'shopify' | 'wix' }) {
  const t = useWords()
  const { query } = usePlace()
  const token = (kind === 'shopify' ? query.id_token : query.instance) ?? ''
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    if (token) call(openEmbedded, { kind, token }).then(setOpened, setFailure)
  }, [kind, token])
  return (
    <main id="content" tabIndex={-1} className="sh-embedded">
      <h1>{t(`screens.${kind === 'shopify' ? 'shopifyPage' : 'wixPage'}`)}</h1>
      {opened ? (
        <Rules opened={opened} onSaved={setOpened} />
      ) : !token || failure ? (
        <>
          <Note tone="wait">
            {failure
              ? failureText(t, failure)
              : t('shops.embedded.only', { place: t(`shops.kinds.${kind}`) })}
          </Note>
          <p>{t('shops.embedded.connect')}</p>
          <a className="aim" href={`/connect${kind}`} target="_blank" rel="noopener">
            {t(`screens.connect${kind === 'shopify' ? 'Shopify' : 'Wix'}`)}
          </a>
        </>
      ) : (
        <Skeleton lines={6} />
      )}
    </main>
  )
}

function Rules({ opened, onSaved }: { opened: Opened; onSaved: (now: Opened) => void }) {
  const t = useWords()
  const [settings, setSettings] = useState(opened.settings)
  const [saved, setSaved] = useState(false)
  const { busy, rest, run, place } = useAction(
    ['settings'],
    async () => {
      onSaved(await call(saveEmbedded, { pass: opened.pass, settings }))
      setSaved(true)
    },
    { stays: true },
  )
  const [checks, setChecks] = useState<readonly ShopCheck[]>()
  const { place: testRef, ...test } = useAction<HTMLDivElement>(
    [],
    async () => {
      setChecks(undefined)
      setChecks((await call(testEmbedded, { pass: opened.pass })).checks)
    },
    { stays: true },
  )
  return (
    <Card title={opened.business} hint={opened.name}>
      <form className="sh-form" noValidate ref={place} onSubmit={run}>
        <RulesFields
          settings={settings}
          set={(part) => {
            setSaved(false)
            setSettings({ ...settings, ...part })
          }}
        />
        {rest && <Note tone="late">{rest}</Note>}
        {saved && <Note tone="done">{t('shops.saved')}</Note>}
        <div className="sh-buttons">
          <Button kind="primary" type="submit" busy={busy}>
            {t('shops.save')}
          </Button>
          <Button busy={test.busy} onPress={() => test.run()}>
            {t('shops.test.press')}
          </Button>
        </div>
        <div ref={testRef} role="status" className="sh-checks">
          {test.rest && <Note tone="late">{test.rest}</Note>}
          {checks?.map((one) => (
            <Note key={one.what} tone={one.ok ? 'done' : 'late'}>
              {t(`shops.test.${one.what}.${one.is}`, {
                count: one.count ?? 0,
                at: one.at ? formatMoment(new Date(one.at)) : '',
              })}
            </Note>
          ))}
        </div>
      </form>
    </Card>
  )
}
