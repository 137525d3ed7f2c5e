import type { LegalTexts } from './shape.ts'

/** The name of the product, where no dealer's brand replaces it. */
export const product = 'Pinkas'

export const texts: LegalTexts = {
  terms: {
    intro:
      'Voici les règles d’utilisation de {name}, en mots simples. Ouvrir un compte signifie que vous les acceptez.',
    sections: [
      {
        title: 'Ce que vous obtenez',
        body: [
          'Un service en ligne pour émettre factures et reçus, encaisser, saisir les dépenses, tenir la comptabilité et déclarer.',
          'Le service vous aide à remplir vos obligations légales. Vous restez responsable de l’exactitude des données, des délais et du paiement de vos impôts.',
        ],
      },
      {
        title: 'Votre compte',
        body: [
          'Donnez des renseignements exacts sur l’entreprise et tenez-les à jour.',
          'Protégez votre mot de passe ; nous conseillons la validation en deux étapes. Si vous pensez que quelqu’un est entré, changez le mot de passe et écrivez-nous.',
          'Vous décidez quels salariés et experts-comptables voient quoi, et vous répondez de ce qu’ils font dans le compte.',
        ],
      },
      {
        title: 'Documents et livres',
        body: [
          'Un document émis n’est jamais effacé ni modifié : il s’annule ou fait l’objet d’un avoir, comme la loi l’exige.',
          'Les livres sont conservés au moins sept ans après la fin de l’année fiscale, même si vous cessez d’utiliser le service. Vous pouvez tout exporter à tout moment, fichier uniforme compris.',
        ],
      },
      {
        title: 'Paiement',
        body: [
          'Les 30 premiers jours sont gratuits et sans carte. Ensuite, le paiement est mensuel selon la formule choisie, hors TVA.',
          'Tout changement de prix est annoncé 30 jours à l’avance. Vous pouvez résilier à tout moment, avec effet à la fin du mois payé.',
        ],
      },
      {
        title: 'Ce qui est interdit',
        body: [
          'Émettre des documents pour des opérations fictives, envoyer des messages non sollicités, tenter d’accéder aux données d’autrui, surcharger le service volontairement.',
          'Dans ce cas nous pouvons suspendre le compte. Nous vous prévenons d’abord, sauf danger immédiat.',
        ],
      },
      {
        title: 'Disponibilité et responsabilité',
        body: [
          'Nous sauvegardons vos données et veillons à la marche du service, sans promettre qu’aucune panne ne se produira.',
          'Notre responsabilité pour un dommage direct se limite à ce que vous avez payé l’année précédente. Cette limite ne vaut pas pour un dommage intentionnel ni lorsque la loi l’interdit.',
        ],
      },
      {
        title: 'Fin',
        body: [
          'Vous pouvez fermer le compte dans les réglages. Nous conseillons d’exporter d’abord les livres.',
          'Nous ne gardons ensuite que ce que la loi impose.',
        ],
      },
      {
        title: 'Droit et contact',
        body: [
          'Le droit israélien s’applique et les tribunaux israéliens sont compétents.',
          'Questions : {mail}',
        ],
      },
    ],
  },
  termsOld: {
    intro:
      'Version précédente des conditions. Elle s’applique aux comptes ouverts avant le 01/11/2026, tant que la nouvelle n’y a pas été acceptée.',
    sections: [
      {
        title: 'Le service',
        body: [
          'Le service émet des documents, enregistre encaissements et dépenses et produit des rapports. Il est fourni tel quel.',
        ],
      },
      {
        title: 'Le compte',
        body: [
          'Un compte correspond à une entreprise. Les utilisateurs répondent de leur mot de passe et de l’exactitude des données.',
        ],
      },
      {
        title: 'Paiement',
        body: [
          'Les 14 premiers jours sont gratuits. Ensuite, le paiement est mensuel, résiliable avec un préavis de 30 jours.',
        ],
      },
      {
        title: 'Conservation des données',
        body: ['Les données sont gardées tant que le compte est actif, puis comme la loi l’exige.'],
      },
      {
        title: 'Ce qui a changé',
        body: [
          'L’essai dure désormais 30 jours, la résiliation prend effet à la fin du mois payé, et tous les livres s’exportent à tout moment.',
        ],
      },
    ],
  },
  privacy: {
    intro: 'Ce que {name} conserve, pourquoi, et qui le voit.',
    sections: [
      {
        title: 'Ce qui est conservé',
        body: [
          'Vos coordonnées : nom, e-mail, téléphone et langue. Le mot de passe n’est gardé que sous forme d’empreinte illisible.',
          'Les données de l’entreprise, documents, clients, fournisseurs, paiements et livres que vous saisissez.',
          'Des traces techniques : quand et depuis quelle adresse vous vous êtes connecté, et qui a modifié quoi. La sécurité et les règles comptables l’exigent.',
        ],
      },
      {
        title: 'Pourquoi',
        body: [
          'Pour rendre le service, le protéger, respecter la loi et vous répondre. Nous ne vendons aucune donnée et n’affichons aucune publicité.',
        ],
      },
      {
        title: 'Qui voit',
        body: [
          'Vous, et ceux à qui vous avez donné un droit. Notre équipe ne voit les données que si vous demandez de l’aide.',
          'L’Autorité fiscale, les organismes de paiement, les banques et les services d’e-mail et de SMS ne reçoivent que le nécessaire à l’action demandée.',
          'Nous ne remettons des données à une autorité que si la loi nous y oblige.',
        ],
      },
      {
        title: 'Les données de vos clients',
        body: ['Elles sont à vous : vous décidez ce qui est gardé, et nous les traitons pour vous seul.'],
      },
      {
        title: 'Dans votre navigateur',
        body: [
          'Le navigateur garde votre connexion, la langue, le mode sombre et vos préférences d’affichage. Aucun cookie tiers, aucun suivi entre sites.',
        ],
      },
      {
        title: 'Durée',
        body: [
          'Livres et documents : au moins sept ans après la fin de l’année fiscale. Traces de connexion : un an. Compte fermé : seulement ce que la loi impose.',
        ],
      },
      {
        title: 'Sécurité',
        body: [
          'Les échanges sont chiffrés, les clés de signature conservées chiffrées, et les données de chaque entreprise séparées. Tout incident qui vous concerne vous est signalé sans délai.',
        ],
      },
      {
        title: 'Vos droits',
        body: [
          'La loi sur la protection de la vie privée vous permet de consulter vos données, de les rectifier et d’en demander l’effacement, sauf obligation légale de conservation.',
          'Questions sur la vie privée : {mail}',
        ],
      },
    ],
  },
  accessibility: {
    intro:
      '{name} est conçu pour que chacun puisse y travailler seul. Voici ce qui est fait, ce qui manque encore et comment nous joindre.',
    sections: [
      {
        title: 'La norme',
        body: [
          'Nous suivons la norme israélienne 5568 au niveau AA et les WCAG 2.2 au niveau AA, comme l’exige le règlement sur l’accessibilité des services aux personnes handicapées.',
        ],
      },
      {
        title: 'Ce qui est fait',
        body: [
          'Tout se fait au clavier seul et le focus est toujours visible. Le point d’interrogation affiche les raccourcis.',
          'Les écrans sont conçus pour les lecteurs d’écran : titres, libellés, messages et erreurs sont lus, et chaque graphique a son tableau.',
          'Le contraste est mesuré pour chaque couleur, en mode clair et sombre. Rien n’est indiqué par la seule couleur.',
          'On peut agrandir à 200 % sans rien perdre, et les écrans s’adaptent au téléphone avec de grandes zones tactiles.',
          'Qui a demandé moins de mouvement à son appareil ne voit pas d’animation.',
          'Les documents sont émis en PDF balisés pour les lecteurs d’écran.',
        ],
      },
      {
        title: 'Comment nous vérifions',
        body: [
          'Par des tests automatiques (axe) des écrans en hébreu et en anglais, clair et sombre, et par un travail manuel au clavier. Aucun audit extérieur n’a encore eu lieu.',
        ],
      },
      {
        title: 'Ce qui manque encore',
        body: [
          'Les fichiers numérisés par les utilisateurs ne sont pas accessibles en eux-mêmes, mais les données lues s’affichent en texte.',
          'Les pages de services extérieurs, comme les organismes de paiement et l’Autorité fiscale, ne dépendent pas de nous.',
        ],
      },
      {
        title: 'Nous joindre',
        body: [
          'Une difficulté ? Écrivez au responsable de l’accessibilité : {mail}. Indiquez l’écran, ce que vous vouliez faire et le navigateur ou l’aide technique utilisés. Réponse sous cinq jours ouvrés.',
        ],
      },
    ],
  },
}
