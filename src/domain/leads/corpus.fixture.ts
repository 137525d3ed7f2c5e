import type { FormText } from './spam.ts'

/*
 * Letters to forms, invented after the manner of what comes: each shape is filled with several names, places
 * and wares.
 */

const text = (name: string, message: string, more: Partial<FormText> = {}): FormText => ({
  name,
  message,
  phone: '052-1234567',
  email: 'someone@example.com',
  company: '',
  ...more,
})
const each = <A, B>(
  left: readonly A[],
  right: readonly B[],
  make: (a: A, b: B, n: number) => FormText,
): FormText[] => left.flatMap((a, i) => right.map((b, j) => make(a, b, i * right.length + j)))

const hebrewNames = [
  'דנה כהן',
  'יוסי לוי',
  'רונית אשל',
  'מוחמד חטיב',
  'אבי בן דוד',
  'שירה מזרחי',
  'נועם פרץ',
  'Olga Petrova',
  'ועד בית האלה 14',
  'קייטרינג שבעת המינים',
]
const hebrewAsks = [
  'שלום, אשמח לקבל הצעת מחיר להחלפת לוח חשמל בדירת 4 חדרים ברמת גן.',
  'מחפשים חשמלאי מוסמך לעמדת טעינה בחניון הבניין. מתי אפשר לבוא לראות?',
  'קיבלתי המלצה עליכם משכן. המזגן מקפיץ את הפקק, דחוף לי.',
  'אנחנו גן ילדים עם 3 כיתות וצריכים ביקורת חשמל שנתית, כולל אישור.',
  'האם אתם עובדים גם בצפון? הבית בכרמיאל, תלת פאזי.',
  'צריך חשבונית מס על שם החברה. כמה עולה שעת עבודה?',
  'ראיתי את האתר שלכם, www.zerem-tov.example, ורציתי לשאול על גוף תאורה שמופיע שם.',
  'אפשר לחזור אליי אחרי 16:00? בטלפון בלבד, תודה רבה!!!',
  'מעוניין בהלוואת ציוד? לא, רק רוצה לדעת אם משכירים גנרטור לאירוע.',
  'הצעה 1037 ששלחתם נראית טוב, רוצה להתקדם. מה תנאי האשראי?',
]
const englishNames = [
  'Sarah Goldberg',
  'Mike Johnson',
  'Jean-Pierre Martin',
  'Ahmed Khalil',
  'Schwartz Brothers Ltd',
  'Anna K.',
]
const englishAsks = [
  'Hi, I need a quote for rewiring a 90 sqm apartment in Tel Aviv. Thanks!',
  'We are opening a cafe next month and need three-phase power. Could you come on Sunday?',
  'Do you issue invoices in English? My company is abroad.',
  'The oven trips the breaker every evening. How soon can somebody look at it?',
  'Please call me back, I prefer WhatsApp. It is about the quote from last week.',
  'Bonjour, je cherche un électricien pour une maison à Netanya. Merci de me rappeler.',
  'Здравствуйте, нужен электрик в Ашдоде, не работает розетка на кухне. Сколько стоит выезд?',
  'مرحبا، أحتاج عرض سعر لتمديد كهرباء في بيت جديد في الناصرة. شكرا',
  'Plan attached at https://drive.example.org/plan-123, tell me if it opens.',
]
export const honest: readonly FormText[] = [
  ...each(hebrewNames, hebrewAsks, (name, ask) => text(name, ask)),
  ...each(englishNames, englishAsks, (name, ask) => text(name, ask)),
  // Who writes little, leaves a phone alone, or a mail alone.
  ...hebrewNames.map((name) => text(name, '', { email: '' })),
  ...hebrewNames.map((name) => text(name, 'אשמח לפרטים', { phone: '' })),
  text('ליאת', 'כן', { company: 'סטודיו תכלת-שבע' }),
]

const spammers = [
  'Robert',
  'Emily Clark',
  'SEO Expert',
  'James Smith',
  'Мария',
  'MarketingPro',
  'John D',
  'Support Team',
]
const sites = [
  'https://best-seo.example.com',
  'http://win-casino.top',
  'www.cheap-pills.biz',
  'bit-profit.xyz',
  'https://t.me/spambot',
]
const pitches: ((site: string) => string)[] = [
  (site) =>
    `Dear Sir, we can rank your website on the first page of Google. Visit ${site} for our SEO packages.`,
  (site) => `Hello, I was on your site and noticed problems. We offer SEO services at low price. ${site}`,
  (site) => `Earn $5000 a week, passive income guaranteed: ${site}`,
  (site) => `<a href="${site}">click here</a> for the best replica watches`,
  (site) => `[url=${site}]online casino[/url] bonus 200%`,
  (site) => `Do you need a business loan? Quick loan offer at 2% from ${site}. Reply to apply.`,
  (site) => `We sell email lists and leads database of 10 million contacts ${site}`,
  (site) => `Buy followers and likes cheap ${site} ${site}`,
  (site) => `Продвижение сайта в топ за 7 дней, раскрутка сайта недорого ${site}`,
  (site) => `Bitcoin investment platform, double your crypto: ${site} ${site}`,
  (site) => `Hi, web design company here, we do website redesign services. See ${site}`,
  () => 'Congratulations you have been selected, you have won an inheritance of 5 million dollars, reply now',
  () => 'Guest post and link building on sites with high domain authority, write back for prices',
  () => 'קידום בגוגל במחיר מבצע, לינקים לאתר שלך והגדלת מכירות באתר תוך שבוע',
  () => 'הלוואה מיידית ללא ערבים, הלוואות חוץ בנקאיות לכל מטרה',
  () => 'QxTrWmPzLkJh vBnMcXzLkJhG',
  (site) => `Great article! My blog ${site} and also http://another-one.info`,
]
export const spam: readonly FormText[] = [
  ...each(pitches, sites, (pitch, site, n) => text(spammers[n % spammers.length]!, pitch(site))),
  ...sites.map((site) => text(`Visit ${site}`, 'hello')),
  ...spammers.map((name) =>
    text(name, 'We offer bulk email and WhatsApp marketing at the best prices', { company: 'promo.click' }),
  ),
  // One that nothing in it gives away.
  text('Nick', 'Are you interested in growing your business? Answer me.'),
]
