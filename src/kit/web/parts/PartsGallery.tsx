/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */
import {
  Archive,
  Banknote,
  Camera,
  CloudOff,
  Download,
  FileText,
  Hash,
  Inbox,
  Landmark,
  Plus,
  ReceiptText,
  Send,
  Table2,
  Trash2,
  User,
} from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import { AgeBar } from './AgeBar.tsx'
import { Banner, Note } from './Banner.tsx'
import { BarChart, Sparkbars } from './BarChart.tsx'
import { Button } from './Button.tsx'
import { Card, Rows } from './Card.tsx'
import type { Command } from './CommandPalette.tsx'
import { DataTable, type Column, type Density, type Sort } from './DataTable.tsx'
import { Dialog, Drawer, Question, SideSheet } from './Dialog.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Figure, Figures, Money } from './Figure.tsx'
import { FileDrop } from './FileDrop.tsx'
import { FilterBar } from './FilterBar.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import { KeysHelp } from './KeysHelp.tsx'
import { LogoCropper } from './LogoCropper.tsx'
import { Menu } from './Menu.tsx'
import { Toasts } from './Notices.tsx'
import { toast } from './notices.ts'
import { Num } from './Num.tsx'
import { PageHeader } from './PageHeader.tsx'
import { Pager, type PageSize } from './Pager.tsx'
import { ProgressRow } from './ProgressRow.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { Skeleton } from './Skeleton.tsx'
import { SkipLink } from './SkipLink.tsx'
import { SplitButton } from './SplitButton.tsx'
import { Chip, Count, StatusPill, type StatusTone } from './Status.tsx'
import { ColumnsMenu, DensityMenu } from './TableTools.tsx'
import { Tooltip } from './Tooltip.tsx'
import { Segmented, Views } from './Views.tsx'
import { useKeys } from './useKeys.ts'
import {
  CodeCell,
  DayCell,
  EmailCell,
  Figures as Figs,
  MoneyCell,
  PercentCell,
  PhoneCell,
  QuantityCell,
  TextCell,
} from '../fields/cells.tsx'
import { ChoiceField } from '../fields/ChoiceField.tsx'
import { ColorField } from '../fields/ColorField.tsx'
import type { Option } from '../fields/Combo.tsx'
import { EmailField, PhoneField, TaxIdField } from '../fields/ContactFields.tsx'
import { DayField } from '../fields/DayField.tsx'
import { FileField } from '../fields/FileField.tsx'
import { FlagField } from '../fields/FlagField.tsx'
import { filterWords, type ViewKind } from '../fields/cellViews.tsx'
import { fieldViews } from '../fields/fieldViews.tsx'
import { MoneyField, PercentField, QuantityField } from '../fields/NumberFields.tsx'
import { PasswordField } from '../fields/PasswordField.tsx'
import { PeriodField } from '../fields/PeriodField.tsx'
import { RefField } from '../fields/RefField.tsx'
import { CurrencyField, LanguageField } from '../fields/SmallChoices.tsx'
import { LongText, TextField } from '../fields/TextField.tsx'
import { useLanguage, useWords } from '../words/words.tsx'
import { fetchPart } from '../calls/fetchPart.ts'

const CommandPalette = lazy(() =>
  fetchPart(() => import('./CommandPalette.tsx')).then((module) => ({ default: module.CommandPalette })),
)

/*
 * The gallery's own sample words live here, in two languages: it is a workshop, not a screen of the product.
 * Every name is invented.
 */
const samples = {
  he: {
    title: 'ערכת החלקים',
    sub: 'כל חלק וכל ערך, בשני הכיוונים ובשני הצבעים',
    new: 'מסמך חדש',
    receipt: 'קבלה',
    quote: 'הצעת מחיר',
    save: 'שמירה',
    cancel: 'ביטול',
    remove: 'מחיקה',
    issue: 'הפקה',
    why: 'חסר לקוח',
    export: 'ייצוא',
    send: 'שליחה',
    paid: 'שולמה',
    sent: 'נשלחה',
    waiting: 'ממתינה להקצאה',
    partly: 'שולמה חלקית',
    late: 'באיחור 16 יום',
    draft: 'טיוטה',
    cancelled: 'בוטלה',
    invoice: 'חשבונית מס',
    all: 'הכול',
    open: 'פתוחים',
    overdue: 'באיחור',
    month: 'החודש',
    allocation: 'ממתינים להקצאה',
    document: 'מסמך',
    date: 'תאריך',
    customer: 'לקוח',
    subject: 'עבור',
    total: 'סה״כ',
    balance: 'יתרה',
    state: 'מצב',
    search: 'מספר, לקוח או סכום',
    type: 'סוג',
    question: 'לבטל את חשבונית 1044?',
    answer: 'תופק חשבונית זיכוי על ₪15,163.00, והיא תישלח ללקוח. אי אפשר לחזור מזה.',
    credit: 'ביטול והפקת זיכוי',
    keep: 'השארה',
    archived: '3 הוצאות הועברו לארכיון',
    issued: 'הופקה ונשלחה.',
    notIssued: 'החשבונית לא הופקה. תאריך המסמך מוקדם מהחשבונית הקודמת.',
    offline: 'אין חיבור. הטיוטה שמורה במכשיר ותישלח כשהחיבור יחזור.',
    number: 'מספר ההקצאה טרם התקבל. ננסה שוב בעוד רבע שעה.',
    emptyTitle: 'כאן יחכו הוצאות לאישור',
    emptyText: 'צלמו קבלה בטלפון או העבירו חשבונית ספק בדואר, והיא תופיע כאן.',
    emptyDeed: 'צילום הוצאה ראשונה',
    brokenTitle: 'הרשימה לא נטענה',
    brokenText: 'השרת לא ענה. מה שהוצג קודם עדיין שמור, ואפשר להמשיך לעבוד בטיוטות.',
    bundle: 'חבילת PDF, אוקטובר',
    income: 'הכנסות',
    expense: 'הוצאות',
    chart: 'הכנסות והוצאות',
    chartHint: '12 חודשים, לפני מע״מ',
    debts: 'חובות פתוחים',
    ages: ['טרם הגיע המועד', '1–30 יום', '31–60 יום', '61–90 יום', 'מעל 90 יום'],
    vat: 'מע״מ צפוי',
    months: ['דצמ׳', 'ינו׳', 'פבר׳', 'מרץ', 'אפר׳', 'מאי', 'יוני', 'יולי', 'אוג׳', 'ספט׳', 'אוק׳', 'נוב׳'],
    names: [
      'מאפיית שיפון הגליל',
      'ועד בית האלה 14',
      'גן הילדים פעמוני הכרם',
      'סטודיו תכלת־שבע',
      'Blue Fig Hosting Ltd.',
      'מרפאת שיניים ד״ר ש. אביטל־כהן ושות׳',
      'חוות הסוסים עמק הדס',
      'מוסך הציר הירוק בע״מ',
    ],
    subjects: [
      'החלפת לוח חשמל תלת־פאזי בבית המלאכה',
      'תאורת חדר מדרגות',
      'Server room UPS wiring and test',
      'כבל נחושת 5×6 ממ״ר, 18 מטר',
      'הזמנה PO-2291/B',
    ],
    fields: 'שדות',
    table: 'טבלה',
    against: 'מול אוקטובר',
    tax: 'מספר עוסק',
    phone: 'טלפון נייד',
    email: 'דואר אלקטרוני',
    password: 'סיסמה',
    amount: 'סכום',
    quantity: 'כמות',
    discount: 'הנחה',
    period: 'תקופה',
    note: 'הערות',
    color: 'הצבע שלך',
    file: 'קובץ מצורף',
    lang: 'שפת המסמך',
    currency: 'מטבע',
    business: 'סוג העסק',
    kinds: ['עוסק מורשה', 'עוסק פטור', 'חברה', 'שותפות', 'עמותה'],
    terms: 'קראתי את תנאי השימוש',
    remind: 'תזכורת אוטומטית על חוב',
    sums: 'אפשר גם 1000+250',
    wrong: 'ספרת הביקורת צריכה להיות 5',
    lights: 'מצב כהה',
  },
  en: {
    title: 'The kit of parts',
    sub: 'Every part and value, in both directions and both colours',
    new: 'New document',
    receipt: 'Receipt',
    quote: 'Price quote',
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Delete',
    issue: 'Issue',
    why: 'No customer yet',
    export: 'Export',
    send: 'Send',
    paid: 'Paid',
    sent: 'Sent',
    waiting: 'Awaiting number',
    partly: 'Part paid',
    late: '16 days late',
    draft: 'Draft',
    cancelled: 'Cancelled',
    invoice: 'Tax invoice',
    all: 'All',
    open: 'Open',
    overdue: 'Overdue',
    month: 'This month',
    allocation: 'Awaiting allocation',
    document: 'Document',
    date: 'Date',
    customer: 'Customer',
    subject: 'For',
    total: 'Total',
    balance: 'Balance',
    state: 'Status',
    search: 'Number, customer or sum',
    type: 'Type',
    question: 'Cancel invoice 1044?',
    answer:
      'A credit invoice for ₪15,163.00 will be issued and sent to the customer. This cannot be taken back.',
    credit: 'Cancel and issue a credit',
    keep: 'Keep it',
    archived: '3 expenses moved to the archive',
    issued: 'issued and sent.',
    notIssued: 'The invoice was not issued. Its date is before the previous invoice.',
    offline: 'No connection. The draft is kept on this device and will be sent when it returns.',
    number: 'The allocation number has not come yet. We try again in a quarter of an hour.',
    emptyTitle: 'Expenses waiting for approval will be here',
    emptyText: 'Photograph a receipt or forward a supplier’s bill by mail, and it will appear here.',
    emptyDeed: 'Photograph the first expense',
    brokenTitle: 'The list did not load',
    brokenText:
      'The server did not answer. What was shown before is still kept, and you can go on with drafts.',
    bundle: 'PDF bundle, October',
    income: 'Income',
    expense: 'Expenses',
    chart: 'Income and expenses',
    chartHint: '12 months, before VAT',
    debts: 'Open debts',
    ages: ['Not yet due', '1–30 days', '31–60 days', '61–90 days', 'Over 90 days'],
    vat: 'VAT ahead',
    months: ['Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'],
    names: [
      'Galilee Rye Bakery',
      '14 HaEla St. committee',
      'Vineyard Bells Kindergarten',
      'סטודיו תכלת־שבע',
      'Blue Fig Hosting Ltd.',
      'Dental clinic Dr. S. Avital-Cohen & partners',
      'Emek Hadas Horse Farm',
      'Green Axle Garage Ltd.',
    ],
    subjects: [
      'Three-phase board replacement in the workshop',
      'Stairwell lighting',
      'Server room UPS wiring and test',
      'החלפת לוח חשמל',
      'Order PO-2291/B',
    ],
    fields: 'Fields',
    table: 'Table',
    against: 'against October',
    tax: 'Dealer number',
    phone: 'Mobile phone',
    email: 'E-mail',
    password: 'Password',
    amount: 'Amount',
    quantity: 'Quantity',
    discount: 'Discount',
    period: 'Period',
    note: 'Notes',
    color: 'Your colour',
    file: 'Attachment',
    lang: 'Document language',
    currency: 'Currency',
    business: 'Kind of business',
    kinds: ['Licensed dealer', 'Exempt dealer', 'Company', 'Partnership', 'Non-profit'],
    terms: 'I have read the terms of use',
    remind: 'Remind of debts automatically',
    sums: 'Sums work too: 1000+250',
    wrong: 'The check digit should be 5',
    lights: 'Dark',
  },
}
type Samples = (typeof samples)['he']

interface Doc {
  id: string
  number: string
  day: Day
  customer: string
  subject: string
  total: number
  balance: number
  tone: StatusTone
  state: string
  off: boolean
}

const documentsOf = (s: Samples, count: number): Doc[] => {
  const states: [StatusTone, string][] = [
    ['done', s.paid],
    ['plain', s.sent],
    ['info', s.waiting],
    ['done', s.paid],
    ['wait', s.partly],
    ['late', s.late],
    ['late', s.late],
    ['draft', s.cancelled],
  ]
  return Array.from({ length: count }, (_, i) => {
    const [tone, state] = states[i % states.length]!
    const total =
      tone === 'draft'
        ? -49560
        : [566400, 236000, 814240, 354000, 863760, 139240, 1116280, 1516300, 123456789][i % 9]!
    return {
      id: String(i),
      number: tone === 'draft' ? `C-0${41 + i}` : String(1048 - i),
      day: addDays('2026-11-20', -i * 2),
      customer: s.names[i % s.names.length]!,
      subject: s.subjects[i % s.subjects.length]!,
      total,
      balance: tone === 'done' || tone === 'draft' ? 0 : tone === 'wait' ? Math.round(total / 2) : total,
      tone,
      state,
      off: tone === 'draft',
    }
  })
}

const Part = ({ title, children, wide }: { title: string; children: ReactNode; wide?: boolean }) => (
  <div className={wide ? 'col-span-full min-w-0' : 'min-w-0'}>
    <Card title={<span className="text-13 text-ink-3">{title}</span>}>{children}</Card>
  </div>
)

/**
 * Development only, at /dev/parts: every part and every value. `?dark` and the language of the page show the
 * other three faces.
 */
export function PartsGallery() {
  const t = useWords()
  const { lang } = useLanguage()
  const s: Samples = lang === 'he' || lang === 'ar' ? samples.he : samples.en
  const [dialog, setDialog] = useState<'question' | 'form' | 'sheet' | 'drawer' | 'keys' | 'palette'>()
  const [logo, setLogo] = useState<File | null>(null)
  const close = () => setDialog(undefined)
  useKeys({ 'mod+k': () => setDialog('palette'), '?': () => setDialog('keys'), n: () => toast(s.new) })
  const command = (key: string, label: string, icon: Command['icon'], hint?: ReactNode): Command => ({
    key,
    label,
    icon,
    hint,
    run: () => toast(label),
  })
  return (
    <div className="mx-auto max-w-[80rem] p-4 [--page-pad:1rem] sm:p-8 sm:[--page-pad:2rem]">
      <SkipLink to="content" />
      <main id="content">
        <PageHeader
          title={s.title}
          sub={s.sub}
          crumbs={[{ label: 'dev', href: '#content' }, { label: 'parts' }]}
          status={<StatusPill tone="info">{lang}</StatusPill>}
          actions={
            <>
              <Button kind="quiet" icon={Download}>
                {s.export}
              </Button>
              <SplitButton
                kind="primary"
                icon={Plus}
                keys="N"
                onPress={() => toast(s.new)}
                menu={[
                  { key: 'r', label: s.receipt, icon: Banknote, onPress: () => toast(s.receipt) },
                  { key: 'q', label: s.quote, icon: FileText, onPress: () => toast(s.quote) },
                  'line',
                  {
                    key: 'e',
                    label: s.expense,
                    icon: ReceiptText,
                    hint: '5',
                    onPress: () => toast(s.expense),
                  },
                ]}
              >
                {s.new}
              </SplitButton>
            </>
          }
          more={[
            { key: 'keys', label: t('kit.keys.title'), keys: '?', onPress: () => setDialog('keys') },
            {
              key: 'palette',
              label: t('kit.palette.label'),
              keys: 'Ctrl K',
              onPress: () => setDialog('palette'),
            },
            {
              key: 'theme',
              label: s.lights,
              onPress: () =>
                (document.documentElement.dataset.theme =
                  document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
            },
          ]}
        />
        <div className="grid gap-4 lg:grid-cols-2">
          <div className="col-span-full">
            <Figures label={s.chart}>
              <Figure
                label={s.income}
                amount={4892000}
                change={{ percent: 12, good: true, against: s.against }}
                href="#content"
              />
              <Figure label={s.expense} amount={1736400} note={`23 ${s.expense}`} href="#content" />
              <Figure
                label={s.debts}
                amount={6341500}
                tone="late"
                note={
                  <>
                    {s.overdue}: <Money amount={2118000} whole />
                  </>
                }
                noteTone="late"
                href="#content"
              />
              <Figure
                label={s.vat}
                amount={481700}
                tone="result"
                note={<Num>15/01/2027</Num>}
                href="#content"
              />
            </Figures>
          </div>
          <Part title="Button · Chip · StatusPill · Tooltip · Kbd">
            <div className="flex flex-wrap items-center gap-2">
              <Button kind="primary" icon={Plus}>
                {s.new}
              </Button>
              <Button kind="soft" icon={Banknote}>
                {s.receipt}
              </Button>
              <Button>{s.save}</Button>
              <Button kind="quiet">{s.cancel}</Button>
              <Button kind="danger" icon={Trash2}>
                {s.remove}
              </Button>
              <Button kind="primary" blocked={s.why}>
                {s.issue}
              </Button>
              <span className="text-12 text-ink-3">{s.why}</span>
              <Button isDisabled>{s.issue}</Button>
              <Button busy>{s.save}</Button>
              <Tooltip text={s.send} keys="Ctrl ↵">
                <Button kind="quiet" icon={Send} m label={s.send} />
              </Tooltip>
              <Menu
                trigger={<Button icon={Archive} label={t('kit.actions.more')} />}
                items={[
                  { key: 'a', label: s.send, icon: Send, m: true, onPress: () => toast(s.send) },
                  { key: 'b', label: s.remove, icon: Trash2, tone: 'danger', onPress: () => toast(s.remove) },
                ]}
              />
              <Button href="#content" kind="soft">
                {s.document}
              </Button>
            </div>
            <div className="mt-4 flex flex-wrap items-center gap-2">
              <StatusPill tone="done">{s.paid}</StatusPill>
              <StatusPill>{s.sent}</StatusPill>
              <StatusPill tone="info">{s.waiting}</StatusPill>
              <StatusPill tone="wait">{s.partly}</StatusPill>
              <StatusPill tone="late">{s.late}</StatusPill>
              <StatusPill tone="draft">{s.draft}</StatusPill>
              <Count>3</Count>
              <Count tone="late">7</Count>
              <Count tone="wait">5</Count>
            </div>
            <div className="mt-4 flex flex-wrap items-center gap-2">
              <Chip on>{s.all}</Chip>
              <Chip>{s.open}</Chip>
              <Chip add icon={Plus}>
                {s.note}
              </Chip>
              <Chip on onRemove={() => toast(s.type)}>
                <span>{s.type}:</span> <b>{s.invoice}</b>
              </Chip>
              <Kbd keys="Ctrl K" />
              <ViewsDemo s={s} />
            </div>
          </Part>
          <Part title="Note · Banner · Toast">
            <div className="grid gap-2">
              <Banner
                tone="done"
                onClose={() => undefined}
                action={
                  <a className="link" href="#content">
                    {t('kit.actions.show')}
                  </a>
                }
              >
                <b>
                  {s.invoice} <Num>1049</Num>
                </b>{' '}
                {s.issued}
              </Banner>
              <Note icon={Hash}>{s.number}</Note>
              <Note tone="wait" icon={CloudOff}>
                {s.offline}
              </Note>
              <Note tone="late">{s.notIssued}</Note>
              <div>
                <Button onPress={() => toast(s.archived, () => toast(s.issued))}>{s.archived}</Button>
              </div>
            </div>
          </Part>
          <Part title="Dialog · Question · SideSheet · Drawer · CommandPalette · KeysHelp">
            <div className="flex flex-wrap gap-2">
              <Button onPress={() => setDialog('question')}>Question</Button>
              <Button onPress={() => setDialog('form')}>Dialog</Button>
              <Button onPress={() => setDialog('sheet')}>SideSheet</Button>
              <Button onPress={() => setDialog('drawer')}>Drawer</Button>
              <Button onPress={() => setDialog('palette')} keys="Ctrl K">
                CommandPalette
              </Button>
              <Button onPress={() => setDialog('keys')} keys="?">
                KeysHelp
              </Button>
            </div>
          </Part>
          <Part title="ProgressRow · Skeleton · FileDrop · LogoCropper">
            <div className="grid gap-4">
              <ProgressRow title={s.bundle} done={148} total={212} onStop={() => undefined} />
              <Skeleton lines={2} />
              <FileDrop
                accept="image/jpeg,image/png"
                limit={2_097_152}
                onFiles={([file]) => setLogo(file ?? null)}
              />
            </div>
          </Part>
          <Part title="SelectionBar" wide>
            <SelectionBar
              count={3}
              onClear={() => undefined}
              sums={[
                { label: s.total, value: <Num>27,718.20</Num> },
                { label: s.balance, value: <Num>27,718.20</Num> },
              ]}
            >
              <Button kind="quiet" hi icon={Send} m>
                {s.send}
              </Button>
              <Button kind="quiet" icon={Download}>
                {s.export}
              </Button>
            </SelectionBar>
          </Part>
          <Part title="EmptyState">
            <EmptyState
              icon={Inbox}
              title={s.emptyTitle}
              actions={
                <Button kind="primary" icon={Camera}>
                  {s.emptyDeed}
                </Button>
              }
            >
              {s.emptyText}
            </EmptyState>
          </Part>
          <Part title="EmptyState, error">
            <EmptyState
              icon={CloudOff}
              title={s.brokenTitle}
              actions={
                <>
                  <Button>{t('kit.actions.retry')}</Button>
                  <Button kind="quiet">{t('kit.actions.show')}</Button>
                </>
              }
            >
              {s.brokenText}
            </EmptyState>
          </Part>
          <BarChart
            title={s.chart}
            hint={s.chartHint}
            months={s.months}
            series={[
              {
                name: s.income,
                color: 1,
                values: [38, 41, 36, 45, 39, 47, 52, 49, 43, 58, 43.5, 48.92].map((one) =>
                  Math.round(one * 100_000),
                ),
              },
              {
                name: s.expense,
                color: 2,
                values: [21, 19.5, 22, 20, 25, 21.5, 23, 27, 19, 27.5, 18.5, 17.36].map((one) =>
                  Math.round(one * 100_000),
                ),
              },
            ]}
          />
          <Card
            title={s.debts}
            end={
              <a className="link text-13" href="#content">
                {s.all}
              </a>
            }
          >
            <AgeBar
              label={s.debts}
              ages={s.ages.map((label, i) => ({
                label,
                amount: [4223500, 1184000, 529000, 245000, 160000][i]!,
                href: '#content',
              }))}
            />
            <div className="mt-4">
              <Sparkbars label={s.income} values={[20, 15, 25, 38, 28, 14, 30, 42, 33, 24, 50, 37]} />
            </div>
            <Rows label={s.state}>
              <a href="#content">
                <span className="k-tile" data-tone="wait">
                  <Icon of={Landmark} />
                </span>
                <span className="grow">
                  <span className="t">{s.vat}</span>
                  <span className="s">
                    <Num>23/11/2026</Num>
                  </span>
                </span>
                <Count tone="late">7</Count>
              </a>
              <a href="#content">
                <span className="k-tile">
                  <Icon of={ReceiptText} />
                </span>
                <span className="grow">
                  <span className="t">{s.expense}</span>
                  <span className="s">{s.partly}</span>
                </span>
                <Count>5</Count>
              </a>
            </Rows>
          </Card>
          <Part title={s.fields} wide>
            <FieldsDemo s={s} />
          </Part>
          <Part title="fieldViews" wide>
            <KindsDemo s={s} />
          </Part>
          <div className="col-span-full min-w-0">
            <TableDemo s={s} />
          </div>
        </div>
      </main>
      <Toasts />
      <Question
        isOpen={dialog === 'question'}
        onClose={close}
        title={s.question}
        verb={s.credit}
        safe={s.keep}
        danger
        onConfirm={() => toast(s.cancelled)}
      >
        {s.answer}
      </Question>
      <Dialog
        isOpen={dialog === 'form'}
        onClose={close}
        form
        title={s.fields}
        actions={
          <>
            <Button kind="quiet" onPress={close}>
              {s.cancel}
            </Button>
            <Button kind="primary" onPress={close}>
              {s.save}
            </Button>
          </>
        }
      >
        <FormDemo s={s} />
      </Dialog>
      <SideSheet
        isOpen={dialog === 'sheet'}
        onClose={close}
        dirty
        title={s.customer}
        actions={
          <Button kind="primary" onPress={close}>
            {s.save}
          </Button>
        }
      >
        <FormDemo s={s} />
      </SideSheet>
      <Drawer isOpen={dialog === 'drawer'} onClose={close} label={s.all}>
        <Button kind="quiet" wide onPress={close}>
          {s.all}
        </Button>
      </Drawer>
      <KeysHelp isOpen={dialog === 'keys'} onClose={close} />
      {dialog === 'palette' && (
        <Suspense>
          <CommandPalette
            isOpen
            onClose={close}
            groups={[
              {
                title: s.document,
                items: [
                  command('new', `${s.invoice}: ${s.names[7]}`, FileText),
                  command('r', s.receipt, Banknote),
                  command('q', s.quote, FileText),
                ],
              },
              { title: s.chart, items: [command('vat', s.vat, Landmark), command('debts', s.debts, Table2)] },
            ]}
            search={(query) =>
              Promise.resolve([
                {
                  title: s.customer,
                  items: s.names
                    .filter((name) => name.includes(query))
                    .map((name) =>
                      command(
                        name,
                        name,
                        User,
                        <>
                          {s.balance} <Num>20,178.00</Num>
                        </>,
                      ),
                    ),
                },
              ])
            }
          />
        </Suspense>
      )}
      <LogoCropper
        file={logo}
        onClose={() => setLogo(null)}
        onDone={(blob) => {
          setLogo(null)
          toast(`JPEG ${blob.size}`)
        }}
      />
    </div>
  )
}

function ViewsDemo({ s }: { s: Samples }) {
  const [density, setDensity] = useState('a')
  return (
    <Segmented
      label={s.table}
      value={density}
      onChange={setDensity}
      options={[
        { key: 'a', label: s.month },
        { key: 'b', label: s.all },
        { key: 'c', label: s.open },
      ]}
    />
  )
}

const searchNames = (s: Samples) => (query: string) =>
  new Promise<Option[]>((resolve) =>
    setTimeout(
      () =>
        resolve(
          s.names
            .filter((name) => name.toLowerCase().includes(query.toLowerCase()))
            .map((name, i) => ({
              key: name,
              label: name,
              hint: <Num>{`51234567${i}`}</Num>,
              end: <Num>{formatMoney(2017800 + i)}</Num>,
            })),
        ),
      150,
    ),
  )

function FormDemo({ s }: { s: Samples }) {
  const [name, setName] = useState(s.names[7]!)
  const [tax, setTax] = useState('')
  return (
    <div className="grid gap-4">
      <TextField label={s.customer} value={name} onChange={setName} autoFocus />
      <TaxIdField label={s.tax} value={tax} onChange={setTax} optional />
    </div>
  )
}

function FieldsDemo({ s }: { s: Samples }) {
  const [name, setName] = useState('')
  const [amount, setAmount] = useState<number | null>(125000)
  const [negative, setNegative] = useState<number | null>(-123400)
  const [tax, setTax] = useState('777777715')
  const [quantity, setQuantity] = useState<string | null>('18.25')
  const [rate, setRate] = useState<number | null>(500)
  const [day, setDay] = useState<Day | null>('2026-11-20')
  const [period, setPeriod] = useState<Period | null>({ from: '2026-09-01', to: '2026-10-31' })
  const [phone, setPhone] = useState('050-555-0142')
  const [email, setEmail] = useState('noa@kav-zerem.example')
  const [password, setPassword] = useState('ארבע מילים')
  const [kind, setKind] = useState<string | null>('0')
  const [many, setMany] = useState<string | null>('2')
  const [who, setWho] = useState<Option | null>(null)
  const [terms, setTerms] = useState(true)
  const [remind, setRemind] = useState(true)
  const [color, setColor] = useState('#0b5d52')
  const [file, setFile] = useState<File | null>(null)
  const [language, setLanguage] = useState<'he' | 'en' | 'ar' | 'ru' | 'fr' | null>('he')
  const [currency, setCurrency] = useState<string | null>('ILS')
  const [note, setNote] = useState('')
  return (
    <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
      <div className="col-span-full">
        <ChoiceField
          label={s.business}
          value={kind}
          onChange={setKind}
          even
          choices={s.kinds.map((label, i) => ({ value: String(i), label }))}
        />
      </div>
      <RefField
        label={s.customer}
        value={who}
        onChange={setWho}
        clearable
        search={searchNames(s)}
        onCreate={(text) => setWho({ key: text, label: text })}
        hint={s.search}
      />
      <TextField label={s.subject} value={name} onChange={setName} placeholder={s.subjects[0]} optional />
      <ChoiceField
        label={s.debts}
        value={many}
        onChange={setMany}
        choices={s.names.map((label, i) => ({ value: String(i), label }))}
      />
      <MoneyField label={s.amount} value={amount} onChange={setAmount} hint={s.sums} />
      <MoneyField label={s.balance} value={negative} onChange={setNegative} currency="EUR" />
      <QuantityField label={s.quantity} value={quantity} onChange={setQuantity} />
      <PercentField label={s.discount} value={rate} onChange={setRate} />
      <DayField label={s.date} value={day} onChange={setDay} />
      <PeriodField label={s.period} value={period} onChange={setPeriod} />
      <TaxIdField label={s.tax} value={tax} onChange={setTax} />
      <TaxIdField label={s.tax} value="777777716" onChange={() => undefined} error={s.wrong} />
      <PhoneField label={s.phone} value={phone} onChange={setPhone} />
      <EmailField label={s.email} value={email} onChange={setEmail} />
      <PasswordField label={s.password} value={password} onChange={setPassword} isNew />
      <CurrencyField label={s.currency} value={currency} onChange={setCurrency} />
      <LanguageField label={s.lang} value={language} onChange={setLanguage} />
      <TextField label={s.document} value="1044" onChange={() => undefined} disabled ltr />
      <ColorField label={s.color} value={color} onChange={setColor} />
      <LongText label={s.note} value={note} onChange={setNote} placeholder={s.subjects[3]} optional />
      <FileField label={s.file} value={file} onChange={setFile} limit={10_485_760} optional />
      <div className="grid gap-3">
        <FlagField label={s.terms} value={terms} onChange={setTerms} />
        <FlagField label={s.remind} value={remind} onChange={setRemind} as="switch" />
        <FlagField label={s.overdue} value={false} onChange={() => undefined} disabled />
      </div>
    </div>
  )
}

function KindsDemo({ s }: { s: Samples }) {
  const values: Partial<Record<ViewKind, unknown>> = {
    text: s.subjects[3],
    longText: `${s.subjects[0]}\n${s.subjects[4]}`,
    money: -123450,
    price: '18.25',
    quantity: '1234.5',
    percent: 1850,
    number: 12345,
    day: '2026-11-05',
    moment: '2026-11-05T12:05:00Z',
    period: { from: '2026-09-01', to: '2026-10-31' },
    taxId: '777777715',
    phone: '050-555-0142',
    email: 'office@kav-zerem.example',
    choice: 'b',
    ref: 'x',
    flag: true,
    color: '#0b5d52',
    language: 'ru',
    currency: 'EUR',
  }
  const facts = {
    choices: [
      { value: 'a', label: s.draft },
      { value: 'b', label: s.paid },
    ],
    toneOf: () => 'done' as const,
    refName: s.names[7],
    href: '#content',
  }
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="fieldViews">
      <table className="k-mini" aria-label="fieldViews">
        <thead>
          <tr>
            {['kind', 'Cell', 'Filter'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(values).map(([kind, value]) => {
            const { Cell, Filter } = fieldViews[kind as ViewKind]
            return (
              <tr key={kind}>
                <td>
                  <bdi className="hint">{kind}</bdi>
                </td>
                <td>
                  <Cell value={value} {...facts} />
                </td>
                <td className="hint">
                  {Filter && (kind === 'day' || kind === 'money')
                    ? filterWords(
                        kind,
                        kind === 'day'
                          ? { from: '2026-10-01', to: '2026-11-20' }
                          : { from: 100000, to: 500000 },
                        facts,
                        (key) => key,
                      )
                    : Filter
                      ? '✓'
                      : '–'}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="mt-3 flex flex-wrap gap-4 text-13">
        <MoneyCell value={0} />
        <MoneyCell value={314000} currency="EUR" />
        <MoneyCell value={139240} late />
        <QuantityCell value="0.0001" />
        <PercentCell value={1800} />
        <DayCell value={null} />
        <CodeCell value="PO-2291/B" />
        <PhoneCell value="04-555-0117" />
        <EmailCell value="books@green-axle.example" />
        <TextCell value={s.subjects[2]} />
        <Figs text={formatMoney(-1)} />
      </p>
    </div>
  )
}

function TableDemo({ s }: { s: Samples }) {
  const t = useWords()
  const [view, setView] = useState('all')
  const [search, setSearch] = useState('')
  const [type, setType] = useState<string | undefined>(s.invoice)
  const [dates, setDates] = useState<Period | undefined>({ from: '2026-10-01', to: '2026-11-20' })
  const [sort, setSort] = useState<Sort | null>({ key: 'day', direction: 'desc' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [density, setDensity] = useState<Density>('compact')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [count, setCount] = useState(14)
  const [size, setSize] = useState<PageSize>(50)
  const rows = documentsOf(s, count).filter((row) => row.customer.includes(search))
  const sum = (of: readonly Doc[], key: 'total' | 'balance') => of.reduce((all, row) => all + row[key], 0)
  const chosen = rows.filter((row) => selected.has(row.id))
  const columns: Column<Doc>[] = [
    {
      key: 'number',
      title: s.document,
      width: 'fit',
      strong: true,
      phone: 'line',
      cell: (row) => (
        <>
          <Num>{row.number}</Num> <span className="hint text-12 font-normal">{s.invoice}</span>
        </>
      ),
    },
    {
      key: 'day',
      title: s.date,
      width: 'fit',
      sort: true,
      phone: 'line',
      cell: (row) => <DayCell value={row.day} />,
    },
    {
      key: 'customer',
      title: s.customer,
      width: '26%',
      sort: true,
      phone: 'title',
      cell: (row) => <TextCell value={row.customer} />,
    },
    {
      key: 'subject',
      title: s.subject,
      width: 'trim',
      cell: (row) => <TextCell value={row.subject} quiet />,
    },
    {
      key: 'total',
      title: s.total,
      align: 'amount',
      sort: true,
      phone: 'amount',
      cell: (row) => <MoneyCell value={row.total} />,
      foot: <MoneyCell value={sum(rows, 'total')} zero="show" />,
    },
    {
      key: 'balance',
      title: s.balance,
      align: 'amount',
      cell: (row) => <MoneyCell value={row.balance} late={row.tone === 'late'} />,
      foot: <MoneyCell value={sum(rows, 'balance')} zero="show" />,
    },
    {
      key: 'state',
      title: s.state,
      width: 'fit',
      phone: 'state',
      cell: (row) => <StatusPill tone={row.tone}>{row.state}</StatusPill>,
    },
  ]
  return (
    <section aria-label={s.table}>
      <Views
        chips
        label={s.table}
        value={view}
        onChange={setView}
        views={[
          { key: 'all', label: s.all },
          { key: 'open', label: s.open },
          { key: 'late', label: s.overdue, count: 7, tone: 'late' },
          { key: 'month', label: s.month },
          { key: 'alloc', label: s.allocation, count: 3 },
        ]}
      />
      <div className="mt-3">
        <FilterBar
          search={search}
          onSearch={setSearch}
          placeholder={s.search}
          filters={[
            {
              key: 'type',
              label: s.type,
              value: type,
              onClear: () => setType(undefined),
              edit: () => <Button onPress={() => setType(s.invoice)}>{s.invoice}</Button>,
            },
            {
              key: 'date',
              label: s.date,
              value: filterWords('day', dates, {}, t),
              onClear: () => setDates(undefined),
              edit: (close) => {
                const Filter = fieldViews.day.Filter!
                return (
                  <Filter
                    label={s.date}
                    value={dates}
                    onChange={(value) => setDates(value as Period)}
                    close={close}
                  />
                )
              },
            },
            { key: 'total', label: s.total, onClear: () => undefined, edit: () => null },
          ]}
          end={
            <>
              <Button kind="quiet" size="s">
                {t('kit.filters.save')}
              </Button>
              <ColumnsMenu columns={columns} hidden={hidden} onChange={setHidden} />
              <DensityMenu value={density} onChange={setDensity} />
            </>
          }
        />
      </div>
      <div>
        <DataTable
          main
          label={s.table}
          columns={columns.filter((column) => !hidden.has(column.key))}
          rows={rows}
          rowKey={(row) => row.id}
          rowName={(row) => `${s.invoice} ${row.number}`}
          rowHref={(row) => `#${row.number}`}
          sort={sort}
          onSort={setSort}
          selected={selected}
          onSelect={setSelected}
          onOpen={(row) => toast(row.number)}
          isOff={(row) => row.off}
          density={density}
          menu={(row) => [
            { key: 'send', label: s.send, icon: Send, m: true, onPress: () => toast(row.number) },
            { key: 'receipt', label: s.receipt, icon: Banknote, onPress: () => toast(row.number) },
            'line',
            {
              key: 'cancel',
              label: s.remove,
              icon: Trash2,
              tone: 'danger',
              onPress: () => toast(row.number),
            },
          ]}
          phoneGroup={(row) => ({
            key: row.day.slice(0, 7),
            title: <Num>{row.day.slice(5, 7)}/2026</Num>,
            sum: <MoneyCell value={4661040} />,
          })}
          empty={
            <EmptyState
              icon={Inbox}
              title={t('kit.filters.none')}
              actions={<Button onPress={() => setSearch('')}>{t('kit.filters.clear')}</Button>}
            />
          }
        />
        <Pager
          shown={rows.length}
          sums={[
            { label: s.total, value: <MoneyCell value={sum(rows, 'total')} zero="show" /> },
            { label: s.balance, value: <MoneyCell value={sum(rows, 'balance')} zero="show" /> },
          ]}
          size={size}
          onSize={setSize}
          hasMore
          onMore={() => setCount(count < 100 ? count * 2 : 5000)}
        />
        <SelectionBar
          count={selected.size}
          onClear={() => setSelected(new Set())}
          sums={[
            { label: s.total, value: <MoneyCell value={sum(chosen, 'total')} zero="show" /> },
            { label: s.balance, value: <MoneyCell value={sum(chosen, 'balance')} zero="show" /> },
          ]}
        >
          <Button kind="quiet" hi icon={Send} m>
            {s.send}
          </Button>
          <Button kind="quiet" icon={Banknote}>
            {s.receipt}
          </Button>
          <Button kind="quiet" icon={Download}>
            {s.export}
          </Button>
        </SelectionBar>
      </div>
      <div className="mt-6">
        <DataTable
          label={s.fields}
          columns={columns}
          rows={[]}
          rowKey={(row) => row.id}
          loading
          skeletons={3}
          density={density}
        />
      </div>
    </section>
  )
}
