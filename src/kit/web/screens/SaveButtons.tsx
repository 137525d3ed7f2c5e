import { Button } from '../parts/Button.tsx'
import { useWords } from '../words/words.tsx'

/** What ends a form in a sheet. */
export function SaveButtons({ form, busy, onCancel }: { form: string; busy: boolean; onCancel: () => void }) {
  const t = useWords()
  return (
    <>
      <Button kind="quiet" onPress={onCancel}>
        {t('kit.forms.cancel')}
      </Button>
      <Button kind="primary" type="submit" form={form} busy={busy} keys="Ctrl S">
        {t('kit.forms.save')}
      </Button>
    </>
  )
}
