"""What agents write in Brazilian Portuguese, and how it is said."""

import pytest

from primavoce.normalize import normalize
from primavoce.normalize.languages.loans_pt import LOANS
from primavoce.phonemes.phonemizer import Phonemizer
from tests.normalize.foreign import flagged

SAID = [
    (
        "Seu pedido nº 4521 chega na terça-feira, 14/05, entre 9h e 14h.",
        "Seu pedido número quatro mil quinhentos e vinte e um chega na terça-feira, catorze de maio, entre "
        "nove horas e catorze horas.",
    ),
    (
        "O preço é R$ 1.299,90 à vista ou 10x de R$ 129,99.",
        "O preço é mil duzentos e noventa e nove reais e noventa centavos à vista ou dez vezes de cento e "
        "vinte e nove reais e noventa e nove centavos.",
    ),
    ("Baixe a versão v2.3.1 do app.", "Baixe a versão dois ponto três ponto um do app."),
    (
        "Seu CPF é 123.456.789-09 e o CEP é 01310-100.",
        "Seu CPF é um dois três, quatro cinco seis, sete oito nove, zero nove e o CEP é zero um três um zero,"
        " um zero zero.",
    ),
    (
        "O CNPJ é 12.345.678/0001-95.",
        "O CNPJ é um dois, três quatro cinco, seis sete oito, zero zero zero um, nove cinco.",
    ),
    (
        "Moro na Av. Paulista, 1000, apto. 12, São Paulo - SP.",
        "Moro na avenida Paulista, mil, apartamento doze, São Paulo - SP.",
    ),
    ("O Flamengo venceu por 3 a 1, ou 3x1.", "O Flamengo venceu por três a um, ou três a um."),
    (
        "Misture 1/2 kg de farinha com 250 ml de leite.",
        "Misture meio quilograma de farinha com duzentos e cinquenta mililitros de leite.",
    ),
    ("A reunião é às 15h30.", "A reunião é às quinze e trinta."),
    (
        "Amanhã fará 28 °C, com vento de 20 km/h.",
        "Amanhã fará vinte e oito graus, com vento de vinte quilômetros por hora.",
    ),
    ("Ligue para (11) 91234-5678.", "Ligue para um um, nove um dois três quatro, cinco seis sete oito."),
    ("Ligue 0800 123 4567.", "Ligue zero oito zero zero, um dois três, quatro cinco seis sete."),
    ("50% dos usuários usam Wi-Fi.", "cinquenta por cento dos usuários usam Wi-Fi."),
    ("D. Pedro II e o séc. XIX.", "dom Pedro segundo e o século dezenove."),
    ("Pressione Ctrl+C.", "Pressione Ctrl mais C."),
    ("Custa R$ 5/kg.", "Custa cinco reais o quilo."),
    ("São 21 mensagens e 1 arquivo PDF.", "São vinte e uma mensagens e um arquivo PDF."),
    ("Segunda a sexta, das 9h às 18h.", "Segunda a sexta, das nove horas às dezoito horas."),
    ("Pão, leite, etc.", "Pão, leite, et cetera."),
    ("O software e o hardware do notebook.", "O software e o hardware do notebook."),
    (
        "Envie um e-mail para contato@example.com.br.",
        "Envie um e-mail para contato arroba example ponto com ponto B R.",
    ),
    ("Bom dia, Sr. João!", "Bom dia, senhor João!"),
    ("O time de marketing fez o backup do site.", "O time de marketing fez o backup do site."),
    ("2ª via do boleto, 1ª parcela.", "segunda via do boleto, primeira parcela."),
    ("Temperatura mín. -3 °C.", "temperatura mínima menos três graus."),
    ("Os anos 90.", "Os anos noventa."),
    ("O PIB cresceu 2,9% em 2023.", "O PIB cresceu dois vírgula nove por cento em dois mil e vinte e três."),
    ("Salve em JSON, CSV ou XML.", "Salve em JSON, CSV ou XML."),
    ("A partir de R$ 49,90/mês.", "A partir de quarenta e nove reais e noventa centavos por mês."),
    ("Faltam 10 min.", "Faltam dez minutos."),
    ("Há 2 milhões de usuários.", "Há dois milhões de usuários."),
    (
        "Olá, seu reembolso de R$ 45,90 cairá em 3-5 dias úteis.",
        "Olá, seu reembolso de quarenta e cinco reais e noventa centavos cairá em três a cinco dias úteis.",
    ),
    ("O código de verificação é 482913.", "O código de verificação é quatro oito dois nove um três."),
    (
        "Horário: seg-sex 9h-18h, sáb 9h-13h.",
        "Horário: de segunda a sexta das nove horas às dezoito horas, sábado das nove horas às treze horas.",
    ),
    (
        "Preaqueça o forno a 180 °C por 45 min.",
        "Preaqueça o forno a cento e oitenta graus por quarenta e cinco minutos.",
    ),
    (
        "Use 2 colheres de açúcar, 1 pitada de sal e 1/2 xícara de leite.",
        "Use duas colheres de açúcar, uma pitada de sal e meia xícara de leite.",
    ),
    (
        "Previsão: máx. 31 °C, mín. 18 °C, chance de chuva de 20%.",
        "Previsão: máximo trinta e um graus, mínimo dezoito graus, chance de chuva de vinte por cento.",
    ),
    ("Promoção: -30% até 31/12.", "Promoção: menos trinta por cento até trinta e um de dezembro."),
    (
        "Rua das Flores, nº 21, 4º andar, CEP 30130-010, Belo Horizonte - MG.",
        "Rua das Flores, número vinte e um, quarto andar, CEP três zero um três zero, zero um zero, Belo "
        "Horizonte - MG.",
    ),
    ("O jogo foi 2 x 0 aos 45'.", "O jogo foi dois a zero aos quarenta e cinco minutos."),
    ("Você tem 1 mensagem nova e 21 notificações.", "Você tem uma mensagem nova e vinte e uma notificações."),
    ("A II Guerra Mundial acabou em 1945.", "A segunda Guerra Mundial acabou em mil novecentos e quarenta e cinco."),
    ("Clique em Configurações > Conta > Segurança.", "Clique em Configurações, Conta, Segurança."),
    ("O Pix de R$ 1,00 caiu às 10:05.", "O Pix de um real caiu às dez e cinco."),
    ("Em 1º de janeiro de 2025.", "Em primeiro de janeiro de dois mil e vinte e cinco."),
    (
        "Baixe o arquivo relatorio_final.pdf (2,5 MB).",
        "Baixe o arquivo relatorio sublinhado final ponto P D F (dois vírgula cinco megabytes).",
    ),
    (
        "São 12.500 habitantes, 3,5% a mais que em 2020.",
        "São doze mil e quinhentos habitantes, três vírgula cinco por cento a mais que em dois mil e vinte.",
    ),
    (
        "O voo LA 3254 sai às 7h05 do portão 21.",
        "O voo L A três mil duzentos e cinquenta e quatro sai às sete e cinco do portão vinte e um.",
    ),
    ("Custa US$ 20 ou € 18.", "Custa vinte dólares ou dezoito euros."),
    (
        "Ligue para 4004-1234 ou (21) 2345-6789.",
        "Ligue para quatro zero zero quatro, um dois três quatro ou dois um, dois três quatro cinco, seis "
        "sete oito nove.",
    ),
    ("O salário mínimo é R$ 1.412,00/mês.", "O salário mínimo é mil quatrocentos e doze reais por mês."),
    (
        "Lei nº 8.078/1990, art. 6º, inc. III.",
        "Lei número oito mil e setenta e oito de mil novecentos e noventa, artigo sexto, inciso III.",
    ),
    ("Atendimento 24h, 7 dias por semana.", "Atendimento vinte e quatro horas, sete dias por semana."),
    ("O CPF e o RG, por favor.", "O CPF e o RG, por favor."),
]


@pytest.mark.parametrize(("written", "by_hand"), SAID)
def test_a_sentence_is_read_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, written: str, by_hand: str
) -> None:
    read, plain = normalize(written, "pt-br").text, normalize(by_hand, "pt-br").text

    assert read.lower() == plain.lower()
    assert phonemizer.phonemize(read, "pt-br") == phonemizer.phonemize(plain, "pt-br")


@pytest.mark.parametrize("written", [written for written, _ in SAID])
def test_espeak_says_no_word_of_it_in_another_language(written: str) -> None:
    assert flagged(normalize(written, "pt-br").text, "pt-br") == []


def test_loans_are_spelled_so_that_espeak_says_them_in_the_language() -> None:
    assert flagged(", ".join(LOANS.values()), "pt-br") == []
