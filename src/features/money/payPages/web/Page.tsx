import { Copy, ExternalLink, KeyRound, Lock, LockOpen, Pencil, Printer, Users } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Qr } from '#kit/web/parts/Qr.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { closePayPage, copyPage, getPage, openPayPage, thanksKey, type PageAnswer } from '../endpoints.ts'
import { payPages, payPurchases } from '../payPages.ts'
import './dress.tsx'
import './editor.css'
import { openPurchase } from './open.tsx'
import { PageStatus, refreshPages } from './says.tsx'
import { snippetOf } from './snippet.ts'

/** One payment page: where it is found, what it brought, who paid. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.id ?? ''
  const { data, error } = useCall(getPage, { id }, { staleTime: 0 })
  if (error && !data) return <Failed error={error} />
  if (!data) return <Skeleton lines={10} />
  return <Shown key={data.id} page={data} t={t} />
}

function Shown({ page, t }: { page: PageAnswer; t: ReturnType<typeof useWords> }) {
  const may = useCan()
  const copy = useCopy()
  const hides = useSession()?.HideTotalPrices ?? false
  const { content, id } = page
  const title = content.texts[content.language]?.title ?? ''
  const isSubscription = content.kind === 'subscription'
  const deed = async (work: () => Promise<PageAnswer>, then?: (made: PageAnswer) => void) => {
    try {
      const made = await work()
      await refreshPages()
      then?.(made)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const canChange = may(payPages.allow.change)
  const isOpen = page.state !== 'draft' && page.state !== 'closed'
  return (
    <div className="pe-stack">
      <PageHeader
        title={<bdi>{title}</bdi>}
        status={<PageStatus of={page.state} />}
        sub={t(`payPages.kindText.${content.kind}`)}
        crumbs={[
          isSubscription
            ? { label: t('screens.retainerPages'), href: '/invoice/retainerpages' }
            : { label: t('screens.payPages'), href: '/invoice/paypages' },
        ]}
        actions={
          canChange && (
            <>
              <Button icon={Pencil} href={`/invoice/paypages/${id}/edit`}>
                {t('payPages.edit')}
              </Button>
              {isOpen ? (
                <Button icon={Lock} onPress={() => void deed(() => call(closePayPage, { id }))}>
                  {t('payPages.close')}
                </Button>
              ) : (
                <Button
                  kind="primary"
                  icon={LockOpen}
                  onPress={() => void deed(() => call(openPayPage, { id }))}
                >
                  {t('payPages.open')}
                </Button>
              )}
            </>
          )
        }
        more={[
          ...(isSubscription && may('customers.see') && may('standingOrders.see')
            ? [
                {
                  key: 'holders',
                  label: t('payPages.holders'),
                  icon: Users,
                  onPress: () => go(`/invoice/invoicecustomers/${id}`),
                },
              ]
            : []),
          ...(canChange
            ? [
                {
                  key: 'copy',
                  label: t('payPages.copy'),
                  icon: Copy,
                  onPress: () =>
                    void deed(
                      () => call(copyPage, { id }),
                      (made) => go(`/invoice/paypages/${made.id}/edit`),
                    ),
                },
              ]
            : []),
        ]}
      />
      {page.state === 'draft' && <Note>{t('payPages.draftText')}</Note>}
      <Figures label={t('payPages.figures')}>
        <Figure label={t('payPages.fields.views')} value={String(page.views)} />
        <Figure label={t('payPages.fields.started')} value={String(page.started)} />
        <Figure label={t('payPages.fields.paid')} value={String(page.paid + page.held)} />
        {!hides && !isSubscription && (
          <Figure label={t('payPages.fields.broughtAgorot')} amount={page.broughtAgorot} exact />
        )}
      </Figures>
      <Card title={t('payPages.share')}>
        <div className="pe-share">
          <div className="pe-stack">
            <TextField
              label={t('payPages.address')}
              value={page.url}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <TextField
              label={t('payPages.shortAddress')}
              value={page.shortUrl}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <p className="pe-line">
              <Button
                {...(isOpen ? { kind: 'primary' as const } : {})}
                icon={Copy}
                onPress={() => copy(page.url)}
              >
                {t('kit.copy.copy')}
              </Button>
              <Button icon={Copy} onPress={() => copy(page.shortUrl)}>
                {t('payPages.copyShort')}
              </Button>
              <Button
                kind="quiet"
                icon={ExternalLink}
                onPress={() => void window.open(page.url, '_blank', 'noreferrer')}
              >
                {t('payPages.look')}
              </Button>
              <Button kind="quiet" icon={Printer} onPress={() => window.print()}>
                {t('payPages.print')}
              </Button>
            </p>
          </div>
          <div className="pe-qr">
            <Qr text={page.shortUrl} label={t('payPages.qr')} />
          </div>
        </div>
      </Card>
      <Card title={t('payPages.embed')}>
        <div className="pe-stack">
          {content.sites.length === 0 ? (
            <Note
              action={
                canChange && (
                  <Button size="s" kind="soft" href={`/invoice/paypages/${id}/edit`}>
                    {t('payPages.edit')}
                  </Button>
                )
              }
            >
              {t('payPages.noSites')}
            </Note>
          ) : (
            <>
              <p>{t('payPages.embedText')}</p>
              <p className="pe-line">
                {content.sites.map((site) => (
                  <bdi key={site} className="num">
                    {site}
                  </bdi>
                ))}
              </p>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys */}
              <pre className="pe-codes pe-snippet" tabIndex={0}>
                {snippetOf(page.frameUrl, title)}
              </pre>
              <div>
                <Button icon={Copy} onPress={() => copy(snippetOf(page.frameUrl, title))}>
                  {t('payPages.copySnippet')}
                </Button>
              </div>
            </>
          )}
        </div>
      </Card>
      {content.thanksUrl && canChange && <Thanks id={id} />}
      {may(payPurchases.allow.see) && (
        <Card title={t('payPages.payers')}>
          <ListScreen
            resource={payPurchases}
            embedded
            fixed={{ pageId: id }}
            archive={false}
            newHref={false}
            onOpen={(row) => openPurchase(row.id)}
          />
        </Card>
      )}
    </div>
  )
}

/** The secret by which the site behind the thank-you address recognizes our notices; shown on request. */
function Thanks({ id }: { id: string }) {
  const t = useWords()
  const copy = useCopy()
  const [isShown, setShown] = useState(false)
  const { data } = useCall(thanksKey, { id }, { enabled: isShown })
  return (
    <Card title={t('payPages.signed')}>
      <div className="pe-stack">
        <p>{t('payPages.signedText')}</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys */}
        <pre className="pe-codes pe-snippet" tabIndex={0} dir="ltr">
          {'sig = HMAC-SHA256(key, "purchase=…&state=…&sum=…&at=…")'}
        </pre>
        {data ? (
          <>
            <TextField
              label={t('payPages.signedKey')}
              value={data.signingKey}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <p className="pe-line">
              <Button icon={Copy} onPress={() => copy(data.signingKey)}>
                {t('kit.copy.copy')}
              </Button>
            </p>
          </>
        ) : (
          <div>
            <Button icon={KeyRound} onPress={() => setShown(true)}>
              {t('payPages.showKey')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
