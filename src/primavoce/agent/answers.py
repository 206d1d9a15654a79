"""Built-in answers, one in each language that Kokoro speaks: what an agent might say about a late parcel."""

ANSWERS: dict[str, str] = {
    "en-us": (
        "I found your parcel. It left the warehouse this morning and should reach you by Thursday afternoon. "
        "The courier will send you a text message about an hour before the van arrives. If nobody is home, "
        "they will leave it at the pickup point on Market Street, which is open until eight. "
        "Would you like me to change the delivery address?"
    ),
    "en-gb": (
        "I've found your parcel. It left the depot this morning and should be with you by Thursday afternoon. "
        "The driver will text you about an hour before the van arrives. If nobody is at home, it will be left at "
        "the corner shop on Mill Lane, which is open until eight. Shall I change the delivery address?"
    ),
    "es": (
        "He encontrado tu paquete. Salió del almacén esta mañana y debería llegar el jueves por la tarde. "
        "El repartidor te enviará un mensaje una hora antes de pasar. Si no hay nadie en casa, lo dejará en la "
        "tienda de la esquina, que abre hasta las ocho. ¿Quieres que cambie la dirección de entrega?"
    ),
    "fr": (
        "J'ai trouvé votre colis. Il a quitté l'entrepôt ce matin et devrait arriver jeudi après-midi. "
        "Le livreur vous enverra un message une heure avant son passage. Si personne n'est là, il le déposera "
        "chez le libraire de la rue du Marché, ouvert jusqu'à vingt heures. Voulez-vous changer l'adresse ?"
    ),
    "hi": (
        "मुझे आपका पार्सल मिल गया। यह आज सुबह गोदाम से निकला है और गुरुवार दोपहर तक पहुँच जाएगा। "
        "गाड़ी आने से एक घंटा पहले आपको संदेश मिलेगा। अगर घर पर कोई नहीं हुआ, तो इसे पास की दुकान पर रख दिया जाएगा। "
        "क्या मैं पता बदल दूँ?"
    ),
    "it": (
        "Ho trovato il suo pacco. È partito dal magazzino questa mattina e dovrebbe arrivare giovedì pomeriggio. "
        "Il corriere le manderà un messaggio circa un'ora prima di passare. Se non c'è nessuno in casa, lo lascerà "
        "all'edicola di via del Mercato, che resta aperta fino alle otto. Vuole che cambi l'indirizzo di consegna?"
    ),
    "pt-br": (
        "Encontrei a sua encomenda. Ela saiu do depósito hoje de manhã e deve chegar na quinta-feira à tarde. "
        "O entregador vai mandar uma mensagem uma hora antes de passar. Se não houver ninguém em casa, ele vai "
        "deixar tudo na banca da esquina, que fica aberta até as oito. Quer que eu mude o endereço?"
    ),
    "ja": (
        "お荷物が見つかりました。今朝倉庫を出て、木曜日の午後に届く予定です。"
        "到着の一時間前に、配達員からメッセージが届きます。ご不在の場合は、駅前のお店でお預かりします。"
        "お届け先を変更しますか？"
    ),
    "zh": (
        "我找到您的包裹了。它今天早上离开仓库，预计星期四下午送到。"
        "快递员会在到达前一小时给您发短信。如果家里没有人，包裹会放在街角的商店。"
        "您想更改送货地址吗？"
    ),
}
"""Language tag → an answer of four or five sentences; our own wording."""
