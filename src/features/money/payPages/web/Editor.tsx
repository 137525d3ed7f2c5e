import { ImagePlus, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { chargesVat } from '#domain/documents/kinds.ts'
import { addDays, dayInJerusalem, momentAt } from '#domain/day.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { ColorField } from '#kit/web/fields/ColorField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { MoreFields } from '#kit/web/parts/MoreFields.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf, searchIn, titleOf } from '#kit/web/screens/resources.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useBytesUrl } from '#kit/web/calls/useBytesUrl.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { items, type Item } from '#features/registers/items/items.ts'
import {
  changePage,
  createPage,
  dropPicture,
  getPage,
  getPicture,
  setPicture,
  type PageAnswer,
  type PageContent,
} from '../endpoints.ts'
import { asking, fieldKinds, paidFor, papersFor, sumKinds } from '../payPages.ts'
import { languagesInOrder, type Language } from '../shown.ts'
import './editor.css'
import { Picture } from './Picture.tsx'
import { refreshPages } from './says.tsx'

const noText = { title: '', text: '', button: '', thanks: '', terms: '' }

const fresh = (kind: PageContent['kind'], language: Language): PageContent => ({
  kind,
  language,
  texts: { [language]: noText },
  accent: '',
  sumKind: 'items',
  suggested: [],
  leastAgorot: null,
  mostAgorot: null,
  mostInstalments: 1,
  items: [
    {
      id: crypto.randomUUID(),
      itemId: null,
      names: { [language]: '' },
      priceAgorot: 0,
      mostQuantity: 1,
      isFixed: true,
      stock: null,
    },
  ],
  fields: [],
  asksEmail: 'must',
  asksPhone: 'may',
  asksTaxId: 'no',
  mustAgree: false,
  takesCoupons: true,
  places: null,
  closesAt: null,
  thanksUrl: '',
  paper: 'usual',
  told: [],
  sites: [],
  everyN: 1,
  billingDay: 0,
  chargeToday: true,
  firstPriceAgorot: null,
  trialDays: 0,
  times: null,
})

/** Makes a payment page or changes one; beside it the page itself, as a phone and as a desk shows it. */
export function Screen() {
  const { params } = usePlace()
  const { data, error } = useCall(
    getPage,
    { id: params.id ?? '' },
    { enabled: params.id !== undefined, staleTime: 0 },
  )
  if (error && !data) return <Failed error={error} />
  if (params.id !== undefined && !data) return <Skeleton lines={10} />
  return (
    <Form
      key={data?.id ?? 'new'}
      before={data}
      isSubscription={location.pathname.startsWith('/invoice/retainerpages')}
    />
  )
}

/** Words of several, parted by commas or lines. */
const parted = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter(Boolean)

/** What is sold alone is called as its page is, until it has a name. */
function namedBy(one: PageContent['items'][number], { texts }: PageContent): PageContent['items'][number] {
  const titles = Object.entries(texts).flatMap(([name, text]) =>
    text?.title.trim() ? [[name, text.title.trim()] as const] : [],
  )
  const said = Object.entries(one.names).filter(([, name]) => name?.trim())
  return { ...one, names: Object.fromEntries([...titles, ...said]) }
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Card
      title={
        <span className="pe-step">
          <span className="n" aria-hidden>
            {number}
          </span>
          {title}
        </span>
      }
    >
      <div className="pe-form">{children}</div>
    </Card>
  )
}

function Form({ before, isSubscription }: { before: PageAnswer | undefined; isSubscription: boolean }) {
  const t = useWords()
  const [content, setContent] = useState<PageContent>(
    () => before?.content ?? fresh(isSubscription ? 'subscription' : 'charge', 'he'),
  )
  const [language, setLanguage] = useState<Language>(content.language)
  const [size, setSize] = useState<'phone' | 'desk'>('phone')
  const [file, setFile] = useState<File | null>(null)
  const [told, setTold] = useState(content.told.join(', '))
  const [sites, setSites] = useState(content.sites.join(', '))
  const [version, setVersion] = useState(before?.version ?? 0)
  const [pictureVersion, setPictureVersion] = useState(before?.pictureVersion ?? null)
  const kept = useBytesUrl(getPicture, before?.id ?? '', pictureVersion !== null, { id: before?.id ?? '' })
  const chosen = useObjectUrl(file) ?? ''
  const put = (change: Partial<PageContent>) => setContent((now) => ({ ...now, ...change }))
  const text = content.texts[language] ?? noText
  const putText = (change: Partial<typeof noText>) =>
    setContent((now) => {
      const next = { ...noText, ...now.texts[language], ...change }
      return { ...now, texts: { ...now.texts, [language]: next } }
    })
  const { data: company } = useCall(getCompany, {})
  const hasVat = company !== undefined && chargesVat(company.kind)
  const isItems = content.sumKind === 'items' || content.kind === 'subscription'
  const whole: PageContent = {
    ...content,
    sumKind: content.kind === 'subscription' ? 'items' : content.sumKind,
    // Other names of a document follow from the kind of the business, which may have changed since.
    paper: content.paper === 'donation' ? 'donation' : 'usual',
    // A language without a title is not spoken.
    texts: Object.fromEntries(
      Object.entries(content.texts).filter(([name, one]) => one?.title.trim() || name === content.language),
    ),
    items: isItems
      ? content.items.map((one, _, all) => (all.length === 1 ? namedBy(one, content) : one))
      : [],
    suggested: content.sumKind === 'suggested' ? content.suggested : [],
    told: parted(told),
    sites: parted(sites),
  }
  const names = [
    ...Object.keys(content),
    ...languagesInOrder.flatMap((one) => Object.keys(noText).map((name) => `texts.${one}.${name}`)),
    ...content.items.flatMap((_, i) =>
      ['itemId', 'names', 'priceAgorot', 'mostQuantity', 'stock'].map((name) => `items.${i}.${name}`),
    ),
    ...content.fields.flatMap((_, i) => ['key', 'labels', 'choices'].map((name) => `fields.${i}.${name}`)),
    ...content.suggested.map((_, i) => `suggested.${i}`),
  ]
  const { busy, rest, error, run, place } = useAction(names, async () => {
    const made = before
      ? await call(changePage, { id: before.id, version, content: whole })
      : await call(createPage, whole)
    setVersion(made.version)
    if (file) {
      const image = await new Promise<string>((done, failed) => {
        const reader = new FileReader()
        reader.addEventListener('load', () => done(String(reader.result)))
        reader.addEventListener('error', () => failed(new Error('unread')))
        reader.readAsDataURL(file)
      })
      await call(setPicture, { id: made.id, image })
    }
    await refreshPages()
    go(`/invoice/paypages/${made.id}`)
  })
  const label = (name: string) => t(`payPages.fields.${name}`)
  const item = (i: number, change: Partial<PageContent['items'][number]>) =>
    put({ items: content.items.map((one, at) => (at === i ? { ...one, ...change } : one)) })
  const own = (i: number, change: Partial<PageContent['fields'][number]>) =>
    put({ fields: content.fields.map((one, at) => (at === i ? { ...one, ...change } : one)) })
  const askField = (name: 'asksEmail' | 'asksPhone' | 'asksTaxId') => (
    <ChoiceField
      label={label(name)}
      value={content[name]}
      onChange={(value) => value && put({ [name]: value })}
      choices={asking.map((value) => ({ value, label: t(`payPages.asking.${value}`) }))}
      {...error(name, content[name])}
    />
  )
  const sumField = (name: 'leastAgorot' | 'mostAgorot' | 'firstPriceAgorot', word: string) => (
    <MoneyField
      label={t(word)}
      optional
      value={content[name] ?? null}
      onChange={(value) => put({ [name]: value })}
      {...error(name, content[name])}
    />
  )
  const kind = content.kind
  return (
    <form ref={place} onSubmit={run} noValidate className="pe-stack">
      <PageHeader
        crumbs={[
          kind === 'subscription'
            ? { label: t('screens.retainerPages'), href: '/invoice/retainerpages' }
            : { label: t('screens.payPages'), href: '/invoice/paypages' },
          ...(before
            ? [
                {
                  label: before.content.texts[before.content.language]?.title ?? '',
                  href: `/invoice/paypages/${before.id}`,
                },
              ]
            : []),
        ]}
        title={t(
          before ? 'payPages.edit' : kind === 'subscription' ? 'payPages.newSubscription' : 'payPages.new',
        )}
        actions={
          <Button kind="primary" type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        }
      />
      {rest && <Note tone="late">{rest}</Note>}
      <div className="pe-editor">
        <div className="pe-form">
          <Step number={1} title={t('payPages.steps.what')}>
            <TextField
              label={label('title')}
              name="title"
              value={text.title}
              onChange={(title) => putText({ title })}
              max={120}
              {...error(`texts.${language}.title`, text.title)}
            />
            {kind !== 'subscription' && (
              <ChoiceField
                label={label('sumKind')}
                value={content.sumKind}
                onChange={(value) => value && put({ sumKind: value })}
                choices={sumKinds.map((value) => ({ value, label: t(`payPages.sumKind.${value}`) }))}
                {...error('sumKind', content.sumKind)}
              />
            )}
            {isItems ? (
              <fieldset className="pe-set" data-alone={content.items.length === 1 ? '' : undefined}>
                <legend className={content.items.length === 1 ? 'sr-only' : undefined}>
                  {t('payPages.items')}
                </legend>
                {error('items', content.items).error && (
                  <p className="k-wrong">{error('items', content.items).error}</p>
                )}
                {content.items.map((one, i) => (
                  <div className="pe-item" key={one.id}>
                    <div className="pe-two">
                      {content.items.length > 1 && (
                        <TextField
                          label={t('payPages.itemName')}
                          value={one.names[language] ?? ''}
                          onChange={(name) => item(i, { names: { ...one.names, [language]: name } })}
                          max={200}
                          {...error(`items.${i}.names`, one.names)}
                        />
                      )}
                      <MoneyField
                        label={t('payPages.itemPrice')}
                        value={one.priceAgorot || null}
                        onChange={(priceAgorot) => item(i, { priceAgorot: priceAgorot ?? 0 })}
                        {...error(`items.${i}.priceAgorot`, one.priceAgorot)}
                      />
                    </div>
                    <MoreFields label={t('payPages.itemMore')} open={Boolean(one.itemId)}>
                      {content.items.length === 1 && (
                        <TextField
                          label={t('payPages.itemName')}
                          optional
                          hint={t('payPages.itemNameHint')}
                          value={one.names[language] ?? ''}
                          onChange={(name) => item(i, { names: { ...one.names, [language]: name } })}
                          max={200}
                          {...error(`items.${i}.names`, one.names)}
                        />
                      )}
                      <ItemPick
                        value={one.itemId ?? null}
                        onChange={(chosen) =>
                          item(
                            i,
                            chosen
                              ? {
                                  itemId: chosen.id,
                                  names: { ...one.names, [language]: chosen.name },
                                  priceAgorot:
                                    paidFor(chosen, dayInJerusalem(new Date()), hasVat) ?? one.priceAgorot,
                                }
                              : { itemId: null },
                          )
                        }
                        {...error(`items.${i}.itemId`, one.itemId)}
                      />
                      <div className="pe-two">
                        <WholeField
                          label={t('payPages.mostQuantity')}
                          value={one.mostQuantity}
                          onChange={(mostQuantity) => item(i, { mostQuantity: mostQuantity ?? 1 })}
                          {...error(`items.${i}.mostQuantity`, one.mostQuantity)}
                        />
                        <WholeField
                          label={t('payPages.stock')}
                          optional
                          value={one.stock ?? null}
                          onChange={(stock) => item(i, { stock })}
                          {...error(`items.${i}.stock`, one.stock)}
                        />
                      </div>
                      <FlagField
                        label={t('payPages.isFixed')}
                        value={one.isFixed}
                        onChange={(isFixed) => item(i, { isFixed })}
                      />
                    </MoreFields>
                    <div className="pe-line">
                      {content.items.length > 1 && (
                        <Button
                          size="s"
                          kind="quiet"
                          icon={Trash2}
                          onPress={() => put({ items: content.items.filter((_, at) => at !== i) })}
                        >
                          {t('payPages.dropItem')}
                        </Button>
                      )}
                    </div>
                  </div>
                ))}
                <div>
                  <Button
                    size="s"
                    icon={Plus}
                    onPress={() =>
                      put({
                        items: [
                          ...content.items,
                          {
                            id: crypto.randomUUID(),
                            itemId: null,
                            names: { [content.language]: '' },
                            priceAgorot: 0,
                            mostQuantity: 1,
                            isFixed: false,
                            stock: null,
                          },
                        ],
                      })
                    }
                  >
                    {t('payPages.addItem')}
                  </Button>
                </div>
              </fieldset>
            ) : (
              <>
                {content.sumKind === 'suggested' && (
                  <fieldset className="pe-set">
                    <legend>{t('payPages.suggested')}</legend>
                    <div className="pe-two">
                      {content.suggested.map((agorot, i) => (
                        <MoneyField
                          key={i}
                          label={`${t('payPages.sum')} ${i + 1}`}
                          value={agorot || null}
                          onChange={(value) =>
                            put({
                              suggested: content.suggested.map((one, at) => (at === i ? (value ?? 0) : one)),
                            })
                          }
                          {...error(`suggested.${i}`, agorot)}
                        />
                      ))}
                    </div>
                    {error('suggested', content.suggested).error && (
                      <p className="k-wrong">{error('suggested', content.suggested).error}</p>
                    )}
                    <div className="pe-line">
                      {content.suggested.length < 8 && (
                        <Button
                          size="s"
                          icon={Plus}
                          onPress={() => put({ suggested: [...content.suggested, 0] })}
                        >
                          {t('payPages.addSum')}
                        </Button>
                      )}
                      {content.suggested.length > 0 && (
                        <Button
                          size="s"
                          kind="quiet"
                          icon={Trash2}
                          onPress={() => put({ suggested: content.suggested.slice(0, -1) })}
                        >
                          {t('payPages.dropSum')}
                        </Button>
                      )}
                    </div>
                  </fieldset>
                )}
                <div className="pe-two">
                  {sumField('leastAgorot', 'payPages.least')}
                  {sumField('mostAgorot', 'payPages.most')}
                </div>
              </>
            )}
            <LongText
              label={t('payPages.text')}
              optional
              value={text.text}
              onChange={(value) => putText({ text: value })}
              max={4000}
              {...error(`texts.${language}.text`, text.text)}
            />
            <FileField
              label={t('payPages.picture')}
              optional
              hint={t('payPages.pictureHint')}
              value={file}
              onChange={setFile}
              accept="image/jpeg,image/png"
              limit={2_800_000}
            />
            {pictureVersion !== null && before && !file && (
              <div>
                <Button
                  size="s"
                  kind="quiet"
                  icon={ImagePlus}
                  onPress={() =>
                    void call(dropPicture, { id: before.id })
                      .then(() => setPictureVersion(null))
                      .catch((e: unknown) => banner.error(failureText(t, e)))
                  }
                >
                  {t('payPages.dropPicture')}
                </Button>
              </div>
            )}

            <MoreFields label={t('payPages.moreOptions')}>
              {kind !== 'subscription' && (
                <ChoiceField
                  label={label('kind')}
                  value={kind}
                  onChange={(value) => value && put({ kind: value })}
                  hint={t(`payPages.kindText.${kind}`)}
                  choices={(['charge', 'hold'] as const).map((value) => ({
                    value,
                    label: t(`payPages.kind.${value}`),
                  }))}
                  {...error('kind', kind)}
                />
              )}
              {kind === 'charge' && (
                <WholeField
                  label={t('payPages.instalments')}
                  value={content.mostInstalments}
                  onChange={(value) => put({ mostInstalments: value ?? 1 })}
                  {...error('mostInstalments', content.mostInstalments)}
                />
              )}

              {kind === 'subscription' && (
                <>
                  <div className="pe-two">
                    <WholeField
                      label={t('payPages.everyN')}
                      value={content.everyN}
                      onChange={(value) => put({ everyN: value ?? 1 })}
                      {...error('everyN', content.everyN)}
                    />
                    <WholeField
                      label={t('payPages.billingDay')}
                      hint={t('payPages.billingDayHint')}
                      value={content.billingDay}
                      onChange={(value) => put({ billingDay: value ?? 0 })}
                      {...error('billingDay', content.billingDay)}
                    />
                  </div>
                  <FlagField
                    label={t('payPages.chargeToday')}
                    value={content.chargeToday}
                    onChange={(chargeToday) => put({ chargeToday })}
                  />
                  <div className="pe-two">
                    {sumField('firstPriceAgorot', 'payPages.firstPrice')}
                    <WholeField
                      label={t('payPages.trialDays')}
                      value={content.trialDays}
                      onChange={(value) => put({ trialDays: value ?? 0 })}
                      {...error('trialDays', content.trialDays)}
                    />
                    <WholeField
                      label={t('payPages.times')}
                      optional
                      hint={t('payPages.timesHint')}
                      value={content.times ?? null}
                      onChange={(times) => put({ times })}
                      {...error('times', content.times)}
                    />
                  </div>
                  <Note>{t('payPages.planNote')}</Note>
                </>
              )}
            </MoreFields>
          </Step>
          <Step number={2} title={t('payPages.steps.who')}>
            <div className="pe-two">
              {askField('asksEmail')}
              {askField('asksPhone')}
            </div>
            {company && (papersFor(company.kind).length > 1 || content.paper === 'donation') && (
              <ChoiceField
                label={t('payPages.paper')}
                as="list"
                value={whole.paper}
                onChange={(value) => value && put({ paper: value })}
                choices={papersFor(company.kind).map((value) => ({
                  value,
                  label: t(`payPages.papers.${value}`),
                }))}
                {...error('paper', content.paper)}
              />
            )}
            <LongText
              label={t('payPages.thanks')}
              optional
              value={text.thanks}
              onChange={(thanks) => putText({ thanks })}
              max={2000}
              {...error(`texts.${language}.thanks`, text.thanks)}
            />

            <MoreFields label={t('payPages.moreOptions')} open={content.fields.length > 0}>
              {askField('asksTaxId')}
              {error('fields', content.fields).error && (
                <p className="k-wrong">{error('fields', content.fields).error}</p>
              )}
              {content.fields.map((one, i) => (
                <div className="pe-item" key={one.key}>
                  <TextField
                    label={t('payPages.fieldLabel')}
                    value={one.labels[language] ?? ''}
                    onChange={(value) => own(i, { labels: { ...one.labels, [language]: value } })}
                    max={120}
                    {...error(`fields.${i}.labels`, one.labels)}
                  />
                  <ChoiceField
                    label={t('payPages.fieldKind')}
                    as="list"
                    value={one.kind}
                    onChange={(value) => value && own(i, { kind: value })}
                    choices={fieldKinds.map((value) => ({ value, label: t(`payPages.fieldKinds.${value}`) }))}
                  />
                  {one.kind === 'choice' && (
                    <LongText
                      label={t('payPages.choices')}
                      hint={t('payPages.choicesHint')}
                      value={(one.choices[language] ?? []).join('\n')}
                      onChange={(value) =>
                        own(i, { choices: { ...one.choices, [language]: value.split('\n') } })
                      }
                      {...error(`fields.${i}.choices`, one.choices)}
                    />
                  )}
                  <div className="pe-line">
                    <FlagField
                      label={t('payPages.must')}
                      value={one.must}
                      onChange={(must) => own(i, { must })}
                    />
                    <Button
                      size="s"
                      kind="quiet"
                      icon={Trash2}
                      onPress={() => put({ fields: content.fields.filter((_, at) => at !== i) })}
                    >
                      {t('payPages.dropField')}
                    </Button>
                  </div>
                </div>
              ))}
              <div>
                <Button
                  size="s"
                  icon={Plus}
                  onPress={() =>
                    put({
                      fields: [
                        ...content.fields,
                        {
                          key: crypto.randomUUID().replaceAll('-', '').slice(0, 12),
                          kind: 'text',
                          labels: { [language]: '' },
                          must: false,
                          choices: {},
                        },
                      ],
                    })
                  }
                >
                  {t('payPages.addField')}
                </Button>
              </div>
              <LongText
                label={t('payPages.terms')}
                optional={!content.mustAgree}
                value={text.terms}
                onChange={(terms) => putText({ terms })}
                max={10_000}
                {...error(`texts.${language}.terms`, text.terms)}
              />
              {kind !== 'subscription' && (
                <FlagField
                  label={t('payPages.mustAgree')}
                  value={content.mustAgree}
                  onChange={(mustAgree) => put({ mustAgree })}
                />
              )}
              <TextField
                label={t('payPages.button')}
                optional
                value={text.button}
                onChange={(button) => putText({ button })}
                max={40}
                {...error(`texts.${language}.button`, text.button)}
              />
              <TextField
                label={t('payPages.thanksUrl')}
                optional
                ltr
                type="url"
                hint={t('payPages.thanksUrlHint')}
                value={content.thanksUrl}
                onChange={(thanksUrl) => put({ thanksUrl })}
                {...error('thanksUrl', content.thanksUrl)}
              />
              <TextField
                label={t('payPages.told')}
                optional
                ltr
                hint={t('payPages.toldHint')}
                value={told}
                onChange={setTold}
                {...error('told', told)}
              />
            </MoreFields>
          </Step>
          <Step number={3} title={t('payPages.steps.publish')}>
            <ColorField
              label={t('payPages.accent')}
              value={content.accent}
              onChange={(accent) => put({ accent: accent.toLowerCase() })}
              {...error('accent', content.accent)}
            />

            <MoreFields label={t('payPages.moreOptions')}>
              <ChoiceField
                label={t('payPages.language')}
                value={language}
                onChange={(value) => value && setLanguage(value)}
                hint={t('payPages.languageHint')}
                choices={languagesInOrder.map((value) => ({ value, label: languageNames[value] }))}
              />
              <div className="pe-two">
                <WholeField
                  label={t('payPages.places')}
                  optional
                  hint={t('payPages.placesHint')}
                  value={content.places ?? null}
                  onChange={(places) => put({ places })}
                  {...error('places', content.places)}
                />
                <DayField
                  label={t('payPages.closesOn')}
                  optional
                  hint={t('payPages.closesOnHint')}
                  value={
                    content.closesAt
                      ? dayInJerusalem(new Date(new Date(content.closesAt).getTime() - 1000))
                      : null
                  }
                  onChange={(day) =>
                    put({ closesAt: day ? momentAt(addDays(day, 1), 0).toISOString() : null })
                  }
                  {...error('closesAt', content.closesAt)}
                />
              </div>
              {isItems && (
                <FlagField
                  label={t('payPages.takesCoupons')}
                  value={content.takesCoupons}
                  onChange={(takesCoupons) => put({ takesCoupons })}
                />
              )}
              <TextField
                label={t('payPages.sites')}
                optional
                ltr
                hint={t('payPages.sitesHint')}
                value={sites}
                onChange={setSites}
                {...error('sites', sites)}
              />
            </MoreFields>
          </Step>
        </div>
        <section className="pe-side" aria-label={t('payPages.live')}>
          <Segmented
            label={t('payPages.live')}
            value={size}
            onChange={setSize}
            options={[
              { key: 'phone', label: t('payPages.phone') },
              { key: 'desk', label: t('payPages.desk') },
            ]}
          />
          <Picture
            content={whole}
            language={language}
            size={size}
            picture={chosen || kept || ''}
            label={t('payPages.live')}
          />
        </section>
      </div>
    </form>
  )
}

/** The item of the catalogue that a line sells: its SKU, stock and way of VAT follow it onto the paper. */
function ItemPick({
  value,
  onChange,
  error,
}: {
  value: string | null
  onChange: (item: Item | null) => void
  error?: string
}) {
  const t = useWords()
  const may = useCan()(items.allow.see)
  const { data } = useRecord(items, may && value ? value : undefined)
  if (!may) return null
  const take = async (id: string) => {
    try {
      onChange((await call(callsOf(items).get, { id })) as unknown as Item)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <RefField
      label={t('payPages.item')}
      optional
      clearable
      hint={t('payPages.itemHint')}
      value={value ? { key: value, label: data ? titleOf(items, data) : '…' } : null}
      onChange={(option) => (option ? void take(option.key) : onChange(null))}
      search={searchIn(items)}
      error={error}
    />
  )
}
