import { useState } from 'react'
import { paymentMeans, type PaymentMeans } from '#domain/documents/kinds.ts'
import { requiredDetails } from '#domain/documents/paymentDetails.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { languageNames } from '#kit/web/words/language.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeShop, type Shop } from '../endpoints.ts'
import { papers, sendings, shopLanguages, type ShopSettings } from '../shops.ts'
import { refresh } from './says.tsx'

/** How orders of this shop become documents. */
export function SettingsForm({ shop }: { shop: Shop }) {
  const t = useWords()
  const [name, setName] = useState(shop.name)
  const [settings, setSettings] = useState<ShopSettings>(shop.settings)
  const set = (part: Partial<ShopSettings>) => setSettings({ ...settings, ...part })
  const { busy, rest, error, run, place } = useAction(
    ['name', 'settings.branch', 'settings.fromDay'],
    async () => {
      await call(changeShop, { id: shop.id, name, settings })
      await refresh()
      banner.success(t('shops.saved'))
    },
    { stays: true },
  )
  return (
    <form className="sh-form sh-narrow" noValidate ref={place} onSubmit={run}>
      <Card title={t('shops.parts.papers')}>
        <div className="sh-form">
          <RulesFields settings={settings} set={set} />
          <TextField
            label={t('shops.fields.branch')}
            hint={t('shops.hints.branch')}
            optional
            value={settings.branch}
            onChange={(branch) => set({ branch })}
            max={20}
            {...error('settings.branch', settings.branch)}
          />
          <DayField
            label={t('shops.fields.fromDay')}
            hint={t('shops.hints.fromDay')}
            optional
            value={settings.fromDay}
            onChange={(fromDay) => set({ fromDay })}
            {...error('settings.fromDay', settings.fromDay)}
          />
        </div>
      </Card>
      <Card title={t('shops.parts.shop')}>
        <div className="sh-form">
          <TextField
            label={t('shops.fields.name')}
            value={name}
            onChange={setName}
            max={80}
            {...error('name', name)}
          />
          <FlagField
            label={t('shops.fields.daily')}
            hint={t('shops.hints.daily')}
            value={settings.daily}
            onChange={(daily) => set({ daily })}
          />
        </div>
      </Card>
      {rest && <Note tone="late">{rest}</Note>}
      <div className="sh-buttons">
        <Button kind="primary" type="submit" busy={busy}>
          {t('shops.save')}
        </Button>
      </div>
    </form>
  )
}

/** The part that is also inside Shopify and Wix. */
export function RulesFields({
  settings,
  set,
}: {
  settings: ShopSettings
  set: (part: Partial<ShopSettings>) => void
}) {
  const t = useWords()
  const paperChoices = papers.map((value) => ({ value, label: t(`documents.types.${value}`) }))
  return (
    <>
      <ChoiceField
        label={t('shops.fields.paper')}
        value={settings.paper}
        onChange={(paper) => paper && set({ paper })}
        choices={paperChoices}
      />
      <ChoiceField
        label={t('shops.fields.businessPaper')}
        hint={t('shops.hints.businessPaper')}
        value={settings.businessPaper}
        onChange={(businessPaper) => businessPaper && set({ businessPaper })}
        choices={paperChoices}
      />
      <ChoiceField
        label={t('shops.fields.send')}
        value={settings.send}
        onChange={(send) => send && set({ send })}
        choices={sendings.map((value) => ({ value, label: t(`shops.send.${value}`) }))}
      />
      <ChoiceField
        label={t('shops.fields.language')}
        as="list"
        value={settings.language}
        onChange={(language) => language && set({ language })}
        choices={shopLanguages.map((value) => ({
          value,
          label: value === 'order' ? t('shops.languageOfOrder') : languageNames[value],
        }))}
      />
      <ChoiceField<string>
        label={t('shops.fields.means')}
        hint={t('shops.hints.means')}
        as="list"
        value={String(settings.means)}
        onChange={(means) => means && set({ means: Number(means) })}
        choices={Object.entries(paymentMeans)
          .filter(([word]) => requiredDetails(word as PaymentMeans).length === 0)
          .map(([word, value]) => ({ value: String(value), label: t(`documents.means.${word}`) }))}
      />
      <FlagField
        label={t('shops.fields.zeroEilat')}
        hint={t('shops.hints.zeroEilat')}
        value={settings.zeroEilat}
        onChange={(zeroEilat) => set({ zeroEilat })}
      />
      <FlagField
        label={t('shops.fields.zeroAbroad')}
        value={settings.zeroAbroad}
        onChange={(zeroAbroad) => set({ zeroAbroad })}
      />
      <FlagField
        label={t('shops.fields.zeroTourist')}
        value={settings.zeroTourist}
        onChange={(zeroTourist) => set({ zeroTourist })}
      />
      <ChoiceField
        label={t('shops.fields.untaxedLines')}
        value={settings.untaxedLines}
        onChange={(untaxedLines) => untaxedLines && set({ untaxedLines })}
        choices={(['look', 'exempt'] as const).map((value) => ({
          value,
          label: t(`shops.untaxed.${value}`),
        }))}
      />
    </>
  )
}
