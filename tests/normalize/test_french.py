"""What agents write in French, and how it is said."""

import pytest

from primavoce.normalize import normalize
from primavoce.normalize.languages.loans_fr import LOANS
from primavoce.phonemes.phonemizer import Phonemizer
from tests.normalize.foreign import flagged

SAID = [
    ("Le train part à 14h05 du quai n° 3.", "Le train part à quatorze heures cinq du quai numéro trois."),
    ("De Paris à Lyon, ce TGV roule à 300 km/h.", "De Paris à Lyon, ce TGV roule à trois cents kilomètres heure."),
    (
        "Ce soir, il fera 25 °C, avec un vent de 5 km/h.",
        "Ce soir, il fera vingt-cinq degrés, avec un vent de cinq kilomètres heure.",
    ),
    (
        "Le prix est de 1 299,99 € TTC.",
        "Le prix est de mille deux cent quatre-vingt-dix-neuf euros quatre-vingt-dix-neuf TTC.",
    ),
    (
        "Mme Dupont et M. Martin habitent 12 bis, rue de la Paix, 75002 Paris.",
        "madame Dupont et monsieur Martin habitent douze bis, rue de la Paix, soixante-quinze mille deux Paris.",
    ),
    (
        "Votre commande n° 4521 sera livrée le lundi 3/5.",
        "Votre commande numéro quatre mille cinq cent vingt et un sera livrée le lundi trois mai.",
    ),
    (
        "Appelez le 01 23 45 67 89 ou le +33 1 23 45 67 89.",
        "Appelez le zéro un, vingt-trois, quarante-cinq, soixante-sept, quatre-vingt-neuf ou le plus trente-"
        "trois, un, vingt-trois, quarante-cinq, soixante-sept, quatre-vingt-neuf.",
    ),
    (
        "Ajoutez 1/2 litre de lait et 250 g de farine.",
        "Ajoutez un demi litre de lait et deux cent cinquante grammes de farine.",
    ),
    ("Envoyez un e-mail à contact@example.fr.", "Envoyez un e-mail à contact arobase example point F R."),
    ("Téléchargez la version v2.0.1.", "Téléchargez la version deux point zéro point un."),
    ("50 % des utilisateurs ont le Wi-Fi.", "cinquante pour cent des utilisateurs ont le Wi-Fi."),
    (
        "Le 1er étage, la 2e porte, la 1re fois, le 3ème jour.",
        "Le premier étage, la deuxième porte, la première fois, le troisième jour.",
    ),
    ("Ouvert de 9 h à 18 h, du lundi au vendredi.", "Ouvert de neuf heures à dix-huit heures, du lundi au vendredi."),
    ("La réunion est de 14h30-16h.", "La réunion est de quatorze heures trente à seize heures."),
    ("Louis XVI et Napoléon III.", "Louis seize et Napoléon trois."),
    ("Le PSG a gagné 3-1.", "Le PSG a gagné trois à un."),
    ("Le fichier PDF fait 2,5 Mo.", "Le fichier PDF fait deux virgule cinq mégaoctets."),
    ("L'API REST renvoie du JSON.", "L'API REST renvoie du JSON."),
    ("Il y a 21 pages et 1 image.", "Il y a vingt et un pages et une image."),
    ("C'est l'art. 5, al. 2 du Code civil.", "C'est l'article cinq, alinéa deux du Code civil."),
    (
        "J'ai 80 ans et 71 amis, soit 151.",
        "J'ai quatre-vingts ans et soixante et onze amis, soit cent cinquante et un.",
    ),
    ("Le CV, la SNCF et la CAF.", "Le CV, la SNCF et la CAF."),
    ("Votre mot de passe expire dans 24 h.", "Votre mot de passe expire dans vingt-quatre heures."),
    ("Prix : 3,50 €/kg.", "Prix: trois euros cinquante le kilo."),
    ("Le week-end, le parking est gratuit.", "Le week-end, le parking est gratuit."),
    ("Rendez-vous le 03/05/2024 à 9h.", "Rendez-vous le trois mai deux mille vingt-quatre à neuf heures."),
    ("C'est à 10 min. à pied.", "C'est à dix minutes à pied."),
    ("Les années 80 et 90.", "Les années quatre-vingts et quatre-vingt-dix."),
    ("Qu'est-ce que c'est ? Aujourd'hui, ça va !", "Qu'est-ce que c'est? Aujourd'hui, ça va!"),
    ("Il fait -3 °C.", "Il fait moins trois degrés."),
    ("Mise à jour disponible : v. 3.2.", "Mise à jour disponible: version trois point deux."),
    ("Bd Voltaire, av. Foch.", "boulevard Voltaire, avenue Foch."),
    (
        "Bonjour Mme Martin, votre colis arrivera d'ici 2 à 3 jours.",
        "Bonjour madame Martin, votre colis arrivera d'ici deux à trois jours.",
    ),
    ("Votre code est 482913.", "Votre code est quatre huit deux neuf un trois."),
    (
        "Préchauffez le four à 180 °C pendant 45 min.",
        "Préchauffez le four à cent quatre-vingts degrés pendant quarante-cinq minutes.",
    ),
    (
        "Mélangez 3 œufs, 100 g de sucre et 1 pincée de sel.",
        "Mélangez trois œufs, cent grammes de sucre et une pincée de sel.",
    ),
    ("Métro : ligne 14, toutes les 2 min.", "Métro: ligne quatorze, toutes les deux minutes."),
    (
        "Le TGV 6607 part à 8h04 et arrive à 10h.",
        "Le TGV six mille six cent sept part à huit heures quatre et arrive à dix heures.",
    ),
    (
        "Horaires : lun-ven 9h-18h30, sam 10h-12h.",
        "Horaires: du lundi au vendredi de neuf heures à dix-huit heures trente, samedi de dix heures à douze heures.",
    ),
    (
        "IBAN : FR76 3000 6000 0112 3456 7890 189.",
        "IBAN: F R sept six, trois zéro zéro zéro, six zéro zéro zéro, zéro un un deux, trois quatre cinq "
        "six, sept huit neuf zéro, un huit neuf.",
    ),
    ("Soldes : -30 % jusqu'au 31/12.", "Soldes: moins trente pour cent jusqu'au trente et un décembre."),
    (
        "Le PIB a progressé de 0,7 % au 3e trimestre 2023.",
        "Le PIB a progressé de zéro virgule sept pour cent au troisième trimestre deux mille vingt-trois.",
    ),
    ("Il mesure 1,80 m et pèse 75 kg.", "Il mesure un mètre quatre-vingts et pèse soixante-quinze kilogrammes."),
    ("Cliquez sur Paramètres > Compte > Sécurité.", "Cliquez sur Paramètres, Compte, Sécurité."),
    ("Charles X, Henri IV, la Ve République.", "Charles dix, Henri quatre, la cinquième République."),
    ("Cela coûte 3 € 50, soit 3,50 €.", "Cela coûte trois euros cinquante, soit trois euros cinquante."),
    ("Plus d'infos sur www.example.fr/aide.", "Plus d'infos sur W W W point example point F R slash aide."),
    (
        "La 2nde guerre mondiale, 1939-1945.",
        "La seconde guerre mondiale, mille neuf cent trente-neuf à mille neuf cent quarante-cinq.",
    ),
    (
        "Le n° de tél. est le 0 800 123 456.",
        "Le numéro de téléphone est le zéro, huit zéro zéro, un deux trois, quatre cinq six.",
    ),
    ("Il est 12h, 0h30, 13:15 et 1h.", "Il est douze heures, zéro heure trente, treize heures quinze et une heure."),
    ("Le samedi 14/05 à 20h30 au St-Denis.", "Le samedi quatorze mai à vingt heures trente au Saint-Denis."),
    (
        "Environ 1,5 million d'habitants et 2 Md€.",
        "Environ un virgule cinq million d'habitants et deux milliards d'euros.",
    ),
    (
        "Fichier facture_2024.pdf (1,2 Mo).",
        "Fichier facture tiret bas deux mille vingt-quatre point P D F (un virgule deux mégaoctet).",
    ),
    ("Les 80 km/h et 130 km/h.", "Les quatre-vingts kilomètres heure et cent trente kilomètres heure."),
    (
        "80 personnes, 1 heure, 21 heures et 1 personne.",
        "quatre-vingts personnes, une heure, vingt et une heures et une personne.",
    ),
    (
        "Ça coûte 20 €/mois, -10 % la 1re année.",
        "Ça coûte vingt euros par mois, moins dix pour cent la première année.",
    ),
]


@pytest.mark.parametrize(("written", "by_hand"), SAID)
def test_a_sentence_is_read_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, written: str, by_hand: str
) -> None:
    read, plain = normalize(written, "fr").text, normalize(by_hand, "fr").text

    assert read.lower() == plain.lower()
    assert phonemizer.phonemize(read, "fr") == phonemizer.phonemize(plain, "fr")


@pytest.mark.parametrize("written", [written for written, _ in SAID])
def test_espeak_says_no_word_of_it_in_another_language(written: str) -> None:
    assert flagged(normalize(written, "fr").text, "fr") == []


def test_loans_are_spelled_so_that_espeak_says_them_in_the_language() -> None:
    assert flagged(", ".join(LOANS.values()), "fr") == []
