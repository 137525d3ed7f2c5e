import { fold } from '../fold.ts'

/** UN/ECE Recommendation 20 (and 21, with an X before it) for the units that people write; a piece is 'C62'. */
const units: Readonly<Record<string, readonly string[]>> = {
  HUR: ['שעה', 'שעות', 'שע', 'hour', 'hours', 'hr', 'hrs', 'h', 'ساعة', 'ساعات', 'час', 'часа', 'часов', 'ч', 'heure', 'heures'],
  MIN: ['דקה', 'דקות', 'דק', 'minute', 'minutes', 'min', 'دقيقة', 'دقائق', 'минута', 'минут', 'мин'],
  DAY: ['יום', 'ימים', 'day', 'days', 'يوم', 'أيام', 'день', 'дня', 'дней', 'jour', 'jours'],
  WEE: ['שבוע', 'שבועות', 'week', 'weeks', 'أسبوع', 'неделя', 'недель', 'semaine', 'semaines'],
  MON: ['חודש', 'חודשים', 'month', 'months', 'شهر', 'أشهر', 'месяц', 'месяца', 'месяцев', 'mois'],
  ANN: ['שנה', 'שנים', 'year', 'years', 'سنة', 'год', 'года', 'лет', 'an', 'ans', 'année', 'années'],
  KGM: ['קג', 'ק"ג', 'קילו', 'קילוגרם', 'kg', 'kilo', 'kilogram', 'كغم', 'كيلو', 'كجم', 'кг', 'килограмм', 'kilogramme'],
  GRM: ['גרם', 'גר', 'g', 'gr', 'gram', 'غرام', 'г', 'грамм', 'gramme'],
  TNE: ['טון', 'טונות', 'ton', 'tonne', 'tons', 'طن', 'т', 'тонна', 'тонн', 'tonnes'],
  MTR: ['מטר', 'מטרים', 'מ', 'm', 'metre', 'meter', 'meters', 'متر', 'м', 'метр', 'метров', 'mètre', 'mètres'],
  CMT: ['סמ', 'ס"מ', 'cm', 'سم', 'см'],
  KMT: ['קמ', 'ק"מ', 'km', 'كم', 'км'],
  MTK: ['מר', 'מ"ר', 'm2', 'm²', 'sqm', 'מטר רבוע', 'متر مربع', 'м2', 'кв.м'],
  MTQ: ['מק', 'מ"ק', 'קוב', 'm3', 'm³', 'cbm', 'متر مكعب', 'м3', 'куб.м'],
  LTR: ['ליטר', 'ליטרים', 'l', 'liter', 'litre', 'لتر', 'л', 'литр', 'литров', 'litres'],
  KWH: ['קוטש', 'קוט"ש', 'kwh', 'квт·ч', 'كيلوواط ساعة'],
  PR: ['זוג', 'זוגות', 'pair', 'pairs', 'زوج', 'пара', 'paire'],
  SET: ['סט', 'set', 'sets', 'طقم', 'набор', 'комплект', 'jeu'],
  DZN: ['תריסר', 'dozen', 'دزينة', 'дюжина', 'douzaine'],
  XPK: ['חבילה', 'חבילות', 'אריזה', 'אריזות', 'package', 'packages', 'pack', 'عبوة', 'упаковка', 'paquet'],
  XBX: ['קופסה', 'קופסא', 'קופסאות', 'ארגז', 'ארגזים', 'box', 'boxes', 'صندوق', 'коробка', 'boîte'],
  XCT: ['קרטון', 'קרטונים', 'carton', 'cartons', 'كرتون', 'картон'],
  XPX: ['משטח', 'משטחים', 'pallet', 'pallets', 'палета', 'palette'],
  XRO: ['גליל', 'גלילים', 'roll', 'rolls', 'لفة', 'рулон', 'rouleau'],
  XBG: ['שק', 'שקים', 'שקית', 'bag', 'bags', 'كيس', 'мешок', 'sac'],
  XBO: ['בקבוק', 'בקבוקים', 'bottle', 'bottles', 'قنينة', 'бутылка', 'bouteille'],
}

const codeOf = new Map(Object.entries(units).flatMap(([code, names]) => names.map((name) => [fold(name), code] as const)))

export const unitCode = (unit: string): string => codeOf.get(fold(unit)) ?? 'C62'
