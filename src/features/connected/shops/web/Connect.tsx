import { Link2 } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { can } from '#kit/describe/session.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useCameBack, type CameBack } from '#kit/web/routes/cameBack.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, writeQuery } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { Shut } from '#kit/web/shell/Shut.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { myCompanies } from '#features/base/companies/endpoints.ts'
import { switchTo } from '#features/base/companies/web/index.tsx'
import { beginTie, endTie } from '../endpoints.ts'
import { pageOf, refresh } from './says.tsx'
import './shops.css'

/**
 * The way to Shopify or Wix and back: an address that bears a consent is taken up at once, any other begins.
 */
export function Connect({ kind }: { kind: 'shopify' | 'wix' }) {
  const t = useWords()
  const session = useSession()
  const cameBack = useCameBack()
  const { said } = cameBack
  const screen = kind === 'shopify' ? 'connectShopify' : 'connectWix'
  if (session && !can(session, 'shops.connect')) return <Shut why="rule" screen={screen} />
  return (
    <div className="sh-page sh-narrow">
      <PageHeader
        title={t(`screens.${screen}`)}
        {...(session ? { crumbs: [{ label: t('screens.shops'), href: '/invoice/shops' }] } : {})}
      />
      {!session ? (
        <LogInFirst icon={Link2} title={t('kit.away.title')} orSignUp={!said.state}>
          {said.code && said.state
            ? t('kit.away.back')
            : t('shops.connect.logIn', { place: t(`shops.kinds.${kind}`) })}
        </LogInFirst>
      ) : said.code && said.state ? (
        <Back kind={kind} of={cameBack} />
      ) : (
        <Begin key={said.shop} kind={kind} query={said} />
      )}
    </div>
  )
}

function Begin({ kind, query }: { kind: 'shopify' | 'wix'; query: Record<string, string> }) {
  const t = useWords()
  const [shop, setShop] = useState(query.shop ?? '')
  const { busy, rest, error, run, place } = useAction(['shop'], async () => {
    const { url } = await call(beginTie, {
      kind,
      shop: kind === 'shopify' ? shop : '',
      token: query.token ?? '',
    })
    location.assign(url)
  })
  return (
    <Card>
      <form className="sh-form" noValidate ref={place} onSubmit={run}>
        <p>{t(`shops.connect.${kind}`)}</p>
        <Whose here={`/connect${kind}${writeQuery(query)}`} />
        {kind === 'shopify' && (
          <TextField
            label={t('shops.connect.address')}
            ltr
            value={shop}
            max={100}
            onChange={setShop}
            placeholder="my-shop.myshopify.com"
            {...error('shop', shop)}
          />
        )}
        {rest && <Note tone="late">{rest}</Note>}
        <div className="sh-buttons">
          <Button kind="primary" type="submit" icon={Link2} busy={busy}>
            {t('shops.connect.verb', { place: t(`shops.kinds.${kind}`) })}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The business that the shop will be tied to; the person who has several chooses. */
function Whose({ here }: { here: string }) {
  const t = useWords()
  const session = useSession()
  const { data } = useCall(myCompanies, {})
  const others = data?.rows ?? []
  if (others.length < 2)
    return (
      <p>
        {t('shops.connect.business')}: <bdi>{session?.Name}</bdi>
      </p>
    )
  return (
    <ChoiceField
      as="list"
      label={t('shops.connect.business')}
      value={session?.CompanyKey ?? null}
      onChange={(id) =>
        id &&
        id !== session?.CompanyKey &&
        void switchTo(id, here).catch((e: unknown) => banner.error(failureText(t, e)))
      }
      choices={others.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

function Back({ kind, of: { said: query, given, forget } }: { kind: 'shopify' | 'wix'; of: CameBack }) {
  const t = useWords()
  const took = useEffectEvent(given)
  const [failure, setFailure] = useState<unknown>()
  // A consent is good once: asked for by a page that was drawn twice it would be refused.
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    call(endTie, { kind, query }).then(
      async ({ shop }) => {
        took()
        await refresh()
        go(`${pageOf(shop)}?tab=settings`, { replace: true })
      },
      (e: unknown) => {
        took(e)
        setFailure(e)
      },
    )
  }, [kind, query])
  if (failure === undefined) return <Skeleton lines={4} />
  return (
    <div className="sh-form">
      <Note tone="late">{failureText(t, failure)}</Note>
      <div className="sh-buttons">
        <Button onPress={forget}>{t('shops.connect.again')}</Button>
      </div>
    </div>
  )
}
